/**
 * From the platform's `suggested_fix` to edits. The platform does not say what the text of a fix is: it may be graph
 * operations as JSON, a piece of YAML, the text to put in place of the finding's span, or advice in words. Each reading
 * that the text allows is tried on a copy; the first one that leaves a flow, keeps every element it does not speak of,
 * brings no new problem and removes the complaint is the fix. Where none does, the text is advice: shown, never pasted.
 */
import { parseDocument } from "yaml";
import { applyOps } from "../apply";
import { FlowDocument, graphOf } from "../document";
import { applyGraph } from "../edit";
import { edgesBySource, sameGraph } from "../equal";
import { edgeFields, nodeTypes, topFields, variableFields } from "../fields";
import type { Graph, GraphEdge, GraphNode } from "../graph";
import type { GraphOp } from "../ops";
import type { Problem } from "../rules/rule";
import { applyEdits, type Span, type TextEdit } from "../text";
import type { PlacedFinding } from "./finding";
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
  if (!text || text.length > MAX_FIX) return undefined;
  let before: readonly Problem[] | undefined;
  for (const { title, edits } of readings(document, placed, text)) {
    if (edits.length === 0) continue;
    const after = FlowDocument.read(applyEdits(document.text, edits));
    before ??= check(document);
    if (isSound(document, after, placed, before, check(after))) return { kind: "edit", title, edits };
  }
  return { kind: "advice", text };
}

const MAX_FIX = 100_000;

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
  const replacement = replace(document, placed, text);
  if (replacement && (data === undefined ? !isProse(text) : keepsKey(document.slice(placed.span), data)))
    yield { title: `Replace with ${shorten(text)}`, edits: replacement };
  if (data === undefined) return;
  for (const target of overlays(graph, placed, text, data))
    yield { title: `Apply ${shorten(text)}`, edits: applyGraph(document, target) };
}

function readOps(text: string): GraphOp[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined; // Not JSON; it may still be YAML in flow style.
  }
  const list = isRecord(data) && Array.isArray(data.ops) ? data.ops : Array.isArray(data) ? data : [data];
  return list.length > 0 && list.every((item) => isRecord(item) && typeof item.op === "string")
    ? (list as GraphOp[])
    : undefined;
}

/** The fix as a map or a list of maps; undefined where it is plain text. */
function readYaml(text: string): Record<string, unknown> | readonly Record<string, unknown>[] | undefined {
  const parsed = parseDocument(text, { logLevel: "silent" });
  if (parsed.errors.length > 0) return undefined;
  const data: unknown = parsed.toJS({ maxAliasCount: 0 });
  if (Array.isArray(data)) return data.length > 0 && data.every(isRecord) ? data : undefined;
  if (!isRecord(data)) return undefined;
  // "Note: tools can fail" is a sentence to people and a map to YAML: a pair of texts must have a key that flows know.
  const isField = ([key, value]: [string, unknown]) =>
    isKnown(key) || (isRecord(value) && /^[A-Za-z][\w-]*$/.test(key));
  return Object.entries(data).every(isField) ? data : undefined;
}

const knownKeys = new Set(
  [...topFields, ...variableFields, ...edgeFields, ...nodeTypes.flatMap((type) => type.fields)].map(
    (field) => field.name,
  ),
);

function isKnown(key: string | undefined): boolean {
  return key !== undefined && (key === "type" || knownKeys.has(key));
}

/** The graphs a piece of YAML may mean, the likeliest first. */
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

/** The graph with a fragment of a flow file laid over it: what the fragment writes replaces what was there. */
function overlay(graph: Graph, text: string): Graph {
  const fragment = FlowDocument.read(text);
  const part = graphOf(fragment);
  const written = new Set(fragment.nodes.filter((entry) => entry.edgesPair).map((entry) => entry.id));
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
 * A list of edges for a node is either all of its edges or the ones to add. It is all of them where it names every
 * target the node has; else the new ones come before the default edge, or last.
 */
function* withEdges(graph: Graph, node: GraphNode, list: readonly Record<string, unknown>[]): Generator<Graph> {
  const own = edgesBySource(graph).get(node.id) ?? [];
  const listed = list.map((item) => String(item.to));
  if (own.length > 0 && own.every((edge) => listed.includes(edge.target))) {
    yield { ...graph, edges: arranged(graph, node, readEdges(node, list)) };
    return;
  }
  const added = list.filter(
    (item) => !own.some((edge) => edge.target === item.to && edge.on === item.on && edge.when === item.when),
  );
  const isDefault = (edge: Record<string, unknown>) => edge.when === undefined && edge.on === undefined;
  const items = own.map(({ source: _source, target, id, ...fields }) => ({
    ...(id.startsWith(`${node.id}--`) ? {} : { id }),
    to: target,
    ...fields,
  }));
  const last = items.findIndex(isDefault);
  if (last >= 0 && !added.some(isDefault))
    yield {
      ...graph,
      edges: arranged(graph, node, readEdges(node, [...items.slice(0, last), ...added, ...items.slice(last)])),
    };
  yield { ...graph, edges: arranged(graph, node, readEdges(node, [...items, ...added])) };
}

/** Edges as the file would name them, so that their ids follow the one rule of the format. */
function readEdges(node: GraphNode, list: readonly Record<string, unknown>[]): GraphEdge[] {
  const fragment = FlowDocument.read(JSON.stringify({ nodes: { [node.id]: { edges: list } } }));
  return fragment.nodes.flatMap((entry) => entry.edges.flatMap((edge) => edge.wire ?? []));
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

/** The fix in place of the finding's span; only where the span was found as text, and lines keep their indentation. */
function replace(document: FlowDocument, placed: PlacedFinding, text: string): TextEdit[] | undefined {
  if (placed.anchor !== "span" && placed.anchor !== "excerpt") return undefined;
  const column = document.positionAt(placed.span.start).character;
  return [changed(document, placed.span, text.replace(/\n(?=.)/g, `\n${" ".repeat(column)}`))];
}

/** An edit of just what differs: a whole node that comes back with one line more is that line. */
function changed(document: FlowDocument, span: Span, text: string): TextEdit {
  const old = document.slice(span);
  const limit = Math.min(old.length, text.length);
  let head = 0;
  while (head < limit && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < limit - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  return { start: span.start + head, end: span.end - tail, text: text.slice(head, text.length - tail) };
}

/** A map may replace a text only if it is the same map made better: a key stays, or an unknown key becomes a known one. */
function keepsKey(old: string, data: Record<string, unknown> | readonly Record<string, unknown>[]): boolean {
  const before = readYaml(old.replace(/^- /, ""));
  if (Array.isArray(before) || before === undefined) return false;
  const now = Array.isArray(data) ? Object.keys(data[0] ?? {}) : Object.keys(data);
  const keys = Object.keys(before);
  if (keys.some((key) => now.includes(key))) return true;
  return keys.length === 1 && now.length === 1 && !isKnown(keys[0]) && isKnown(now[0]);
}

/** Words to a person: several of them, or a sentence's ending. */
function isProse(text: string): boolean {
  return text.split(/\s+/).length >= 3 || /[.!?]$/.test(text);
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
  if (!removes && document.nodes.some((entry) => !after.node(entry.id) && entry.id !== finding.node_id)) return false;
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

function describeOps(ops: readonly GraphOp[]): string {
  const first = ops[0] as GraphOp;
  const more = ops.length > 1 ? ` and ${ops.length - 1} more` : "";
  switch (first.op) {
    case "upsert_node":
      return `Set node ${first.node.id}${more}`;
    case "remove_node":
      return `Remove node ${first.node_id}${more}`;
    case "update_node_fields":
      return `Change ${Object.keys(first.fields).join(", ")} of ${first.node_id}${more}`;
    case "add_edge":
      return `Add an edge from ${first.edge.source} to ${first.edge.target}${more}`;
    case "remove_edge":
      return `Remove edge ${first.edge_id}${more}`;
    case "set_entry_node":
      return `Start at ${first.node_id}${more}`;
    case "upsert_context_variable":
      return `Declare variable ${first.variable.name}${more}`;
    case "remove_context_variable":
      return `Remove variable ${first.name}${more}`;
    case "set_persona":
      return `Set the persona${more}`;
    case "set_component_outputs":
      return `Set the component outputs${more}`;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 50 ? `${line.slice(0, 49)}…` : line}"`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
