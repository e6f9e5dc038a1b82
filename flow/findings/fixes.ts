/**
 * Converts the platform's `suggested_fix` to edits. The platform doesn't say what the text of a fix is: it may be graph
 * operations as JSON, a fragment of YAML, a replacement for the finding's span, or advice. Each possible interpretation
 * is tried on a copy; the first one that results in a flow, keeps every element it doesn't mention, adds no problem,
 * and resolves the finding is the fix. If none does, the text is advice: shown, never inserted.
 */

import { FlowDocument } from "../document";
import { applyGraph } from "../edit";
import { applyOps } from "../graph/apply";
import { edgesBySource, type Graph, type GraphEdge, type GraphNode, sameGraph } from "../graph/graph";
import { graphOf } from "../graph/graph-of";
import { isRecord } from "../json";
import type { Problem } from "../rules/engine/rule";
import { applyEdits, editBetween, type Span, shift, type TextEdit } from "../text";
import type { PlacedFinding } from "./finding";
import { describeOps, isKnown, isProse, isTooMuch, readOps, readYaml, shorten } from "./fix-text";
import { isSameRule } from "./same-rule";

export type SuggestedFix =
  | { readonly kind: "edit"; readonly title: string; readonly edits: readonly TextEdit[] }
  | { readonly kind: "advice"; readonly text: string };

export function suggestedFix(
  document: FlowDocument,
  placed: PlacedFinding,
  check: (document: FlowDocument) => readonly Problem[],
): SuggestedFix | undefined {
  const text = placed.finding.suggested_fix?.trim();
  if (!text || isTooMuch(text)) return undefined;
  let before: readonly Problem[] | undefined;
  for (const { title, edits } of readings(document, placed, text)) {
    if (edits.length === 0) continue;
    const after = FlowDocument.read(applyEdits(document.text, edits));
    before ??= check(document);
    if (isSound(document, after, placed, before, check(after))) return { kind: "edit", title, edits };
  }
  return { kind: "advice", text };
}

interface Reading {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

function* readings(document: FlowDocument, placed: PlacedFinding, text: string): Generator<Reading> {
  const graph = graphOf(document);
  const ops = readOps(text);
  if (ops) {
    const result = applyOps(graph, ops);
    if (result.graph) yield { title: describeOps(ops), edits: applyGraph(document, result.graph) };
    return;
  }
  const data = readYaml(text);
  if (data === undefined ? !isProse(text) : keepsKey(document.slice(placed.span), data))
    for (const edit of replacements(document, placed, text)) yield { title: titleOf(text, [edit]), edits: [edit] };
  if (data === undefined) return;
  for (const target of overlays(graph, placed, text, data)) {
    const edits = applyGraph(document, target);
    yield { title: titleOf(text, edits), edits };
  }
}

/** If text is only added, the title names the addition: a whole node with one more line is that line. */
function titleOf(text: string, edits: readonly TextEdit[]): string {
  if (!text.includes("\n")) return `Replace with ${shorten(text)}`;
  const adds = edits.every((edit) => edit.start === edit.end);
  return adds ? `Add ${shorten(edits.map((edit) => edit.text.trim()).join(" "))}` : `Apply ${shorten(text)}`;
}

/** The graphs that a fragment of YAML may mean, the most likely first. */
function* overlays(
  graph: Graph,
  placed: PlacedFinding,
  text: string,
  data: Record<string, unknown> | readonly Record<string, unknown>[],
): Generator<Graph> {
  const element = placed.element;
  const nodeId = element?.kind === "node" ? element.id : element?.kind === "edge" ? element.node : undefined;
  const node = nodeId === undefined ? undefined : graph.nodes.get(nodeId);
  if (Array.isArray(data)) {
    if (node) yield* withEdges(graph, node, data);
    return;
  }
  const map = data as Record<string, unknown>;
  if (["nodes", "context_variables", "entry", "persona", "component_outputs"].some((key) => Object.hasOwn(map, key))) {
    yield overlay(graph, text);
    return;
  }
  if (Object.values(map).every((value) => isRecord(value) && typeof value.type === "string")) {
    const indented = text.replace(/^(?=.)/gm, "  ");
    if (Object.keys(map).every((key) => graph.variables.has(key)))
      yield overlay(graph, `context_variables:\n${indented}`);
    yield overlay(graph, `nodes:\n${indented}`);
    return;
  }
  if (element?.kind === "edge" && !("edges" in map)) {
    const edge = graph.edges.get(element.id);
    const { to, ...fields } = map;
    if (edge)
      yield {
        ...graph,
        edges: replaced(graph.edges, edge.id, {
          ...edge,
          ...fields,
          ...(typeof to === "string" ? { target: to } : {}),
        }),
      };
    return;
  }
  if (!node) return;
  const { edges, ...fields } = map;
  const changed = { ...graph, nodes: replaced(graph.nodes, node.id, { ...node, ...fields, id: node.id }) };
  if (Array.isArray(edges) && edges.every(isRecord)) yield* withEdges(changed, node, edges);
  else if (typeof map.to === "string") yield* withEdges(graph, node, [map]);
  else yield changed;
}

/** The graph with a fragment of a flow file applied: the fragment replaces existing values. */
function overlay(graph: Graph, text: string): Graph {
  const fragment = FlowDocument.read(text);
  const part = graphOf(fragment);
  const written = new Set(fragment.nodes.filter((block) => block.edgesPair).map((block) => block.id));
  return {
    ...graph,
    ...(part.persona === undefined ? {} : { persona: part.persona }),
    ...(part.entry === undefined ? {} : { entry: part.entry }),
    nodes: new Map([...graph.nodes, ...part.nodes]),
    variables: new Map([...graph.variables, ...part.variables]),
    edges: new Map([...[...graph.edges].filter(([, edge]) => !written.has(edge.source)), ...part.edges]),
    ...(fragment.top("component_outputs") ? { outputs: part.outputs } : {}),
  };
}

/**
 * A list of edges for a node is either complete or an addition. It's complete if it includes every edge of the node;
 * otherwise the new ones go last, or before the default edge that would shadow them, so that no edge is lost. Only if
 * that isn't sound, and the list includes every target, it's complete after all.
 */
function* withEdges(graph: Graph, node: GraphNode, list: readonly Record<string, unknown>[]): Generator<Graph> {
  const own = edgesBySource(graph).get(node.id) ?? [];
  const isListed = (edge: GraphEdge) => list.some((item) => isSameWay(item, edge));
  const whole = { ...graph, edges: arranged(graph, node, readEdges(node, list)) };
  if (own.length > 0 && own.every(isListed)) return yield whole;
  const added = list.filter((item) => !own.some((edge) => isSameWay(item, edge)));
  const isDefault = (edge: Record<string, unknown>) => edge.when === undefined && edge.on === undefined;
  const items = own.map(({ source: _source, target, id, ...fields }) => ({
    ...(id.startsWith(`${node.id}--`) ? {} : { id }),
    to: target,
    ...fields,
  }));
  const last = items.findIndex(isDefault);
  if (last >= 0 && added.some((edge) => edge.when !== undefined))
    yield {
      ...graph,
      edges: arranged(graph, node, readEdges(node, [...items.slice(0, last), ...added, ...items.slice(last)])),
    };
  yield { ...graph, edges: arranged(graph, node, readEdges(node, [...items, ...added])) };
  if (own.length > 0 && own.every((edge) => list.some((item) => item.to === edge.target))) yield whole;
}

function isSameWay(item: Record<string, unknown>, edge: GraphEdge): boolean {
  return item.to === edge.target && item.on === edge.on && item.when === edge.when;
}

/** Edges with IDs as in a file, so that derived IDs follow the rule of the format. */
function readEdges(node: GraphNode, list: readonly Record<string, unknown>[]): GraphEdge[] {
  const fragment = FlowDocument.read(JSON.stringify({ nodes: { [node.id]: { edges: list } } }));
  return fragment.nodes.flatMap((block) => block.edges.flatMap((edge) => edge.wire ?? []));
}

function arranged(graph: Graph, node: GraphNode, edges: readonly GraphEdge[]): Map<string, GraphEdge> {
  return new Map([
    ...[...graph.edges].filter(([, edge]) => edge.source !== node.id),
    ...edges.map((edge) => [edge.id, edge] as const),
  ]);
}

function replaced<V>(map: ReadonlyMap<string, V>, key: string, value: V): Map<string, V> {
  return new Map([...map].map(([name, old]) => [name, name === key ? value : old]));
}

/**
 * The fix in place of the finding's span, only if the span was found as text. Its further lines may be indented as in
 * the file or from the margin: the smaller change is more likely.
 */
function replacements(document: FlowDocument, placed: PlacedFinding, text: string): TextEdit[] {
  if (placed.anchor !== "span" && placed.anchor !== "excerpt") return [];
  const column = document.positionAt(placed.span.start).character;
  const moved = text.replace(/\n(?=.)/g, `\n${" ".repeat(column)}`);
  const size = (edit: TextEdit) => edit.end - edit.start + edit.text.length;
  return [...new Set([moved, text])]
    .map((each) => changed(document, placed.span, each))
    .sort((a, b) => size(a) - size(b));
}

/** Reduces an edit to what it changes: one that replaces a node to add a line becomes an insertion of that line. */
function changed(document: FlowDocument, span: Span, text: string): TextEdit {
  const edit = editBetween(document.slice(span), text);
  return { ...shift(edit, span.start), text: edit.text };
}

/** A map may replace a string only if it's an improved version: a key stays, or an unknown key becomes a known one. */
function keepsKey(old: string, data: Record<string, unknown> | readonly Record<string, unknown>[]): boolean {
  const before = readYaml(old.replace(/^- /, ""));
  if (Array.isArray(before) || before === undefined) return false;
  const now = Array.isArray(data) ? Object.keys(data[0] ?? {}) : Object.keys(data);
  const keys = Object.keys(before);
  if (keys.some((key) => now.includes(key))) return true;
  return keys.length === 1 && now.length === 1 && !isKnown(keys[0]) && isKnown(now[0]);
}

/** Whether an edit may be offered: see the top of this file. */
function isSound(
  document: FlowDocument,
  after: FlowDocument,
  { finding, element }: PlacedFinding,
  before: readonly Problem[],
  now: readonly Problem[],
): boolean {
  if (after.problems.length > document.problems.length) return false;
  const removes = finding.suggested_fix?.includes("remove_node") ?? false;
  if (!removes && document.nodes.some((block) => !after.node(block.id) && block.id !== finding.node_id)) return false;
  if (!removes && element?.kind === "node" && after.nodes.length < document.nodes.length) return false;
  if (sameGraph(graphOf(document), graphOf(after))) return false;
  if (serious(now) > serious(before)) return false;
  const same = (problems: readonly Problem[]) =>
    problems.filter((problem) => isSameRule(problem.code, finding.rule_id)).length;
  return same(before) === 0 || same(now) < same(before);
}

function serious(problems: readonly Problem[]): number {
  return problems.filter((problem) => problem.severity === "error" || problem.severity === "warning").length;
}
