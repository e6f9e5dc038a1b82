/** Changes nodes, edges, and variables of a document to match a graph. */
import type { NodeBlock, VariableBlock } from "../document";
import { haveOwnId, matchEdges } from "../graph/edge-match";
import { type GraphEdge, type GraphNode, type GraphVariable, sameElement, sameJson } from "../graph/graph";
import type { EdgeModel } from "../model";
import type { TextEdit } from "../text";
import { type ListValue, type Pair, pairOf, textOf, toData, type Value } from "../values";
import { changeValue } from "./change";
import { arrangeList, blockItems, changeMap, type ItemPlan, isAlias, type MapTarget } from "./containers";
import { columnOf } from "./lines";
import { type Page, valueIn } from "./page";
import { replaceValue, type Slot } from "./slot";

export function changeNode(
  page: Page,
  slot: Slot,
  block: NodeBlock,
  node: GraphNode,
  edges: readonly GraphEdge[],
): TextEdit[] | undefined {
  const current = block.edges.filter((edge) => edge.wire !== undefined).map((edge) => edge.wire as GraphEdge);
  const sameEdges =
    current.length === edges.length && edges.every((edge, i) => sameElement(edge, current[i] as GraphEdge));
  if (sameElement(block.wire, node) && sameEdges) return [];
  const value = valueIn(page, block);
  const data = nodeData(node, edges);
  if (value?.kind !== "map" || isAlias(page.text, value)) return replaceValue(page.text, slot, value, data, page.style);
  const targets = fieldTargets(page, fieldsOf(node, ["id", "edges"]));
  const unread = block.edges.some((edge) => edge.wire === undefined);
  if (edges.length > 0 || (unread && !sameEdges))
    targets.push({
      key: "edges",
      data: data.edges,
      change: (pair, at) => (sameEdges ? [] : changeEdges(page, at, pair.value, block.edges, edges)),
    });
  const keep = (key: string) => key === "id" || (key === "edges" && sameEdges) || isNothing(value, key);
  return (
    changeMap(page.text, value, targets, keep, page.style) ?? replaceValue(page.text, slot, value, data, page.style)
  );
}

export function changeVariable(
  page: Page,
  slot: Slot,
  block: VariableBlock,
  variable: GraphVariable,
): TextEdit[] | undefined {
  if (sameElement(block.wire, variable)) return [];
  const value = valueIn(page, block);
  const data = variableData(variable);
  if (value?.kind !== "map" || isAlias(page.text, value)) return replaceValue(page.text, slot, value, data, page.style);
  const keep = (key: string) => key === "name" || isNothing(value, key);
  const targets = fieldTargets(page, fieldsOf(variable, ["name"]));
  return (
    changeMap(page.text, value, targets, keep, page.style) ?? replaceValue(page.text, slot, value, data, page.style)
  );
}

/** A node in its written order: its type and name first, its edges last. */
export function nodeData(node: GraphNode, edges: readonly GraphEdge[]): Record<string, unknown> {
  const fields = fieldsOf(node, ["id", "edges"]);
  const rank = ([name]: [string, unknown]) => (name === "type" ? 0 : name === "name" ? 1 : 2);
  fields.sort((a, b) => rank(a) - rank(b));
  const needed = idsToWrite(edges, () => undefined);
  const items = edges.map((edge, index) => edgeData(edge, needed[index] as boolean));
  return Object.fromEntries(edges.length > 0 ? [...fields, ["edges", items]] : fields);
}

export function variableData(variable: GraphVariable): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(variable, ["name"]));
}

export function edgeData(edge: GraphEdge, withId: boolean): Record<string, unknown> {
  const fields = fieldsOf(edge, ["id", "source", "target", "to"]);
  return Object.fromEntries([["to", edge.target], ...fields, ...(withId ? [["id", edge.id] as const] : [])]);
}

function changeEdges(
  page: Page,
  slot: Slot,
  value: Value | undefined,
  models: readonly EdgeModel[],
  edges: readonly GraphEdge[],
): TextEdit[] {
  const anew = () => {
    const needed = idsToWrite(edges, () => undefined);
    const items = edges.map((edge, i) => edgeData(edge, needed[i] as boolean));
    return replaceValue(page.text, slot, value, items, page.style);
  };
  if (value?.kind !== "list" || isAlias(page.text, value)) return anew();
  const partner = partnersOf(models, edges);
  const needed = idsToWrite(edges, (index) => ownId(models[partner[index] ?? -1]));
  const plan: ItemPlan[] = edges.map((edge, index) => {
    const withId = needed[index] as boolean;
    const at = partner[index];
    if (at === undefined) return { data: edgeData(edge, withId) };
    return { keep: at, edits: changeEdge(page, value, models[at] as EdgeModel, edge, withId) };
  });
  for (const index of unmatched(models, partner)) {
    const before = plan.findLastIndex((item) => "keep" in item && item.keep < index);
    plan.splice(before + 1, 0, { keep: index, edits: [] });
  }
  const last = models.findLast((model) => model.value !== undefined);
  const flowItems = last?.value?.flow ?? page.style.flowEdges;
  return arrangeList(page.text, value, plan, page.style, flowItems) ?? anew();
}

/** Matches edges of the file with edges of the graph: the same edge, else one with a different target. */
function partnersOf(models: readonly EdgeModel[], edges: readonly GraphEdge[]): (number | undefined)[] {
  const seen = new Set<string>();
  const known = models.filter(({ wire, id }) => wire && !seen.has(id) && seen.add(id));
  const partner: (number | undefined)[] = edges.map(() => undefined);
  const own = [known.map((model) => ownId(model) !== undefined), haveOwnId(edges)] as const;
  const { pairs } = matchEdges(
    known.map(({ wire }) => wire as GraphEdge),
    edges,
    { own },
  );
  for (const { before, after } of pairs) partner[after] = known[before]?.index;
  const used = new Set(partner);
  const free = known.filter((model) => !used.has(model.index));
  edges.forEach((edge, index) => {
    if (partner[index] !== undefined) return;
    const found = free.findIndex((model) =>
      sameElement({ ...model.wire, id: "", target: "" }, { ...edge, id: "", target: "" }),
    );
    if (found >= 0) partner[index] = free.splice(found, 1)[0]?.index;
  });
  return partner;
}

/** Edges that the graph doesn't contain, such as half-written ones: they stay in place. */
function unmatched(models: readonly EdgeModel[], partner: readonly (number | undefined)[]): number[] {
  const seen = new Set<string>();
  return models.flatMap((model) => {
    const known = model.wire !== undefined && !seen.has(model.id);
    seen.add(model.id);
    return known || partner.includes(model.index) ? [] : [model.index];
  });
}

/** Whether each edge needs an explicit ID, because the derived one would differ. */
function idsToWrite(edges: readonly GraphEdge[], own: (index: number) => string | undefined): boolean[] {
  const seen = new Map<string, number>();
  return edges.map((edge, index) => {
    const pair = `${edge.source}--${edge.target}`;
    const count = (seen.get(pair) ?? 0) + 1;
    seen.set(pair, count);
    return own(index) === edge.id || edge.id !== (count === 1 ? pair : `${pair}--${count}`);
  });
}

function ownId(model: EdgeModel | undefined): string | undefined {
  return textOf(pairOf(model?.value, "id")?.value);
}

function changeEdge(page: Page, list: ListValue, model: EdgeModel, edge: GraphEdge, withId: boolean): TextEdit[] {
  const { text, style } = page;
  if (
    ownId(model) === (withId ? edge.id : undefined) &&
    model.wire &&
    sameElement({ ...model.wire, id: "" }, { ...edge, id: "" })
  )
    return [];
  const item = list.items[model.index] as Value;
  const dash = list.flow ? item.span.start - 1 : (blockItems(text, list)?.[model.index]?.start ?? item.span.start - 1);
  const slot: Slot = { from: dash + 1, column: columnOf(text, list.span.start), flow: list.flow };
  const anew = () => replaceValue(text, slot, item, edgeData(edge, withId), style);
  if (item.kind !== "map" || isAlias(text, item)) return anew();
  const as = (wanted: string) => (pair: Pair, at: Slot) =>
    textOf(pair.value) === wanted ? [] : replaceValue(text, at, pair.value, wanted, style);
  const targets: MapTarget[] = [
    { key: "to", data: edge.target, change: as(edge.target) },
    ...fieldTargets(page, fieldsOf(edge, ["id", "source", "target", "to"])),
    ...(withId ? [{ key: "id", data: edge.id, change: as(edge.id) }] : []),
  ];
  const keep = (key: string) => key === "source" || key === "target" || isNothing(item, key);
  return changeMap(text, item, targets, keep, style) ?? anew();
}

function fieldTargets(page: Page, fields: readonly [string, unknown][]): MapTarget[] {
  return fields.map(([key, data]) => ({
    key,
    data,
    change: (pair, slot) => changeValue(page.text, slot, pair.value, data, page.style),
  }));
}

/** The fields with a value; null means absent, and the source span isn't part of an element. */
function fieldsOf(element: object, without: readonly string[]): [string, unknown][] {
  return Object.entries(element).filter(
    ([key, value]) => !without.includes(key) && key !== "source_span" && !sameJson(value, null),
  );
}

function isNothing(value: Value, key: string): boolean {
  const pair = pairOf(value, key);
  return pair !== undefined && toData(pair.value) === null;
}
