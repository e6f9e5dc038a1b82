/**
 * Single changes of a flow document, for fixes and clicks in the graph. Each returns edits of one element only;
 * `applyGraph` is for many changes at once. No change means no edits.
 */
import type { FlowDocument, NodeBlock } from "../document";
import type { GraphEdge, GraphNode, GraphVariable } from "../graph/graph";
import { graphOf, topRefs } from "../graph/graph-of";
import type { EdgeModel } from "../model";
import { type Span, shift, type TextEdit } from "../text";
import { type ListValue, pairOf, textOf } from "../values";
import { changeTops } from "./apply-graph";
import { composeEdits } from "./compose";
import { arrangeList, type ItemPlan } from "./containers";
import { changeNode, changeVariable, edgeData } from "./elements";
import { open, type Page, slotOf, valueIn } from "./page";
import { writeLine } from "./write";

export function addNode(
  document: FlowDocument,
  node: GraphNode,
  edges: readonly Omit<GraphEdge, "id" | "source">[] = [],
  after?: string,
): TextEdit[] {
  const graph = graphOf(document);
  if (graph.nodes.has(node.id)) return [];
  const nodes = [...graph.nodes.values()];
  const at = after === undefined ? -1 : nodes.findIndex((candidate) => candidate.id === after);
  nodes.splice(at < 0 ? nodes.length : at + 1, 0, node);
  const added = edges.map((edge, index) => asEdge(edge, node.id, edges.slice(0, index)));
  return tidy(
    document,
    changeTops(open(document), {
      ...graph,
      nodes: new Map(nodes.map((each) => [each.id, each])),
      edges: new Map([...graph.edges, ...added.map((edge) => [edge.id, edge] as const)]),
    }),
  );
}

/**
 * Removes a node, every edge to it, and `entry` if it refers to it. With `instead`, edges to the node point to that
 * node.
 */
export function removeNode(document: FlowDocument, id: string, instead?: string): TextEdit[] {
  const page = open(document);
  const edits: TextEdit[] = [];
  for (const block of document.nodes) {
    if (block.id === id || !block.edges.some((edge) => edge.to === id)) continue;
    if (instead === undefined) for (const each of keepEdges(page, block.id, (edge) => edge.to !== id)) edits.push(each);
    else for (const each of retarget(page, block, id, instead)) edits.push(each);
  }
  const { entry: start, ...graph } = graphOf(document);
  const nodes = new Map(graph.nodes);
  nodes.delete(id);
  const entry = start === id ? instead : start;
  // The edges of other nodes were changed above by their place; here they count as unchanged.
  return tidy(document, [
    ...edits,
    ...changeTops(page, { ...graph, nodes, ...(entry === undefined ? {} : { entry }) }),
  ]);
}

/** Renames a node: its key, `entry`, and every edge to it. */
export function renameNode(document: FlowDocument, id: string, to: string): TextEdit[] {
  const page = open(document);
  const edits: TextEdit[] = [];
  for (const block of document.nodes) {
    const at = document.startOf(block);
    if (block.id === id) edits.push(replaceName(page, shift(block.keySpan, at), to));
    for (const each of retarget(page, block, id, to)) edits.push(each);
  }
  const block = document.top("entry");
  if (block?.value && textOf(block.value) === id)
    edits.push(replaceName(page, shift(block.value.span, document.startOf(block)), to));
  return tidy(document, edits);
}

/** Adds an edge at an index in the node's list; by default at the end. */
export function addEdge(
  document: FlowDocument,
  node: string,
  edge: Omit<GraphEdge, "id" | "source">,
  index?: number,
): TextEdit[] {
  const block = document.node(node);
  if (!block) return [];
  const page = open(document);
  const data = edgeData({ ...edge, id: "", source: node } as GraphEdge, false);
  const list = edgeList(page, node);
  if (list && list.items.length > 0) {
    const plan: ItemPlan[] = list.items.map((_, keep) => ({ keep, edits: [] }));
    plan.splice(index ?? plan.length, 0, { data });
    const flow = block.edges.findLast((other) => other.value)?.value?.flow ?? page.style.flowEdges;
    const edits = arrangeList(page.text, list, plan, page.style, flow);
    if (edits) return tidy(document, edits);
  }
  const edges = block.edges.flatMap((other) => (other.wire ? [other.wire] : []));
  edges.splice(index ?? edges.length, 0, asEdge(edge, node, edges));
  return tidy(document, changeNode(page, slotOf(page, block), block, block.wire, edges));
}

export function removeEdge(document: FlowDocument, node: string, index: number): TextEdit[] {
  return tidy(
    document,
    keepEdges(open(document), node, (edge) => edge.index !== index),
  );
}

/** Points an edge to another node. */
export function setTarget(document: FlowDocument, node: NodeBlock, edge: EdgeModel, to: string): TextEdit[] {
  return changeTarget(open(document), node, edge, to);
}

export function setTop(document: FlowDocument, key: "entry" | "persona", value: string | undefined): TextEdit[] {
  const { [key]: _, ...rest } = graphOf(document);
  return tidy(document, changeTops(open(document), value === undefined ? rest : { ...rest, [key]: value }));
}

/** Adds a variable, or changes an existing one to match. */
export function setVariable(document: FlowDocument, variable: GraphVariable): TextEdit[] {
  const page = open(document);
  const block = document.variable(variable.name);
  if (block) return tidy(document, changeVariable(page, slotOf(page, block), block, variable));
  const graph = graphOf(document);
  return tidy(
    document,
    changeTops(page, { ...graph, variables: new Map([...graph.variables, [variable.name, variable]]) }),
  );
}

/** Renames a variable: its key, and everywhere it's read or set. */
export function renameVariable(document: FlowDocument, name: string, to: string): TextEdit[] {
  const page = open(document);
  const edits: TextEdit[] = [];
  for (const block of document.variables)
    if (block.name === name) edits.push(replaceName(page, shift(block.keySpan, document.startOf(block)), to));
  const uses = [...topRefs(document), ...document.nodes.flatMap((block) => block.refs.map((ref) => ({ block, ref })))];
  for (const { block, ref } of uses) {
    const span = document.absolute(block, ref.span);
    // What comes through an alias follows what is written at its anchor.
    if (ref.name === name && document.slice(span) === name) edits.push({ ...span, text: to });
  }
  return tidy(document, edits);
}

function keepEdges(page: Page, node: string, keep: (edge: EdgeModel) => boolean): TextEdit[] {
  const block = page.document.node(node);
  const list = edgeList(page, node);
  if (!block || !list) return [];
  const kept = block.edges.filter(keep);
  const plan = kept.map((edge) => ({ keep: edge.index, edits: [] }));
  const edits = kept.length > 0 ? arrangeList(page.text, list, plan, page.style) : undefined;
  if (edits) return edits;
  const edges = kept.flatMap((edge) => (edge.wire ? [edge.wire] : []));
  return changeNode(page, slotOf(page, block), block, block.wire, edges) ?? [];
}

/** Points the edges of a node from one target to another. */
function retarget(page: Page, block: NodeBlock, id: string, to: string): TextEdit[] {
  return block.edges.flatMap((edge) => (edge.to === id ? changeTarget(page, block, edge, to) : []));
}

function changeTarget(page: Page, block: NodeBlock, edge: EdgeModel, to: string): TextEdit[] {
  const target = pairOf(edge.value, "to")?.value;
  return target ? [replaceName(page, page.document.absolute(block, target.span), to)] : [];
}

function edgeList(page: Page, node: string): ListValue | undefined {
  const block = page.document.node(node);
  const value = block && pairOf(valueIn(page, block), "edges")?.value;
  return value?.kind === "list" ? value : undefined;
}

/** An edge with its derived ID. */
function asEdge(
  edge: Omit<GraphEdge, "id" | "source">,
  source: string,
  before: readonly { readonly target?: unknown }[],
): GraphEdge {
  const count = before.filter((other) => other.target === edge.target).length + 1;
  const id = `${source}--${edge.target}`;
  return { ...edge, id: count === 1 ? id : `${id}--${count}`, source } as GraphEdge;
}

/** Replaces a name, keeping its quotes. */
function replaceName({ text, style }: Page, span: Span, to: string): TextEdit {
  const quote = text[span.start];
  const prefer = quote === '"' ? "double" : quote === "'" ? "single" : undefined;
  return { ...span, text: writeLine(to, style, true, prefer) };
}

function tidy(document: FlowDocument, edits: readonly TextEdit[] | undefined): TextEdit[] {
  return composeEdits([], edits ?? [], document.length);
}
