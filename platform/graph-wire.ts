/**
 * How a graph looks on the wire, inside `normalized_graph` and `compiled_graph`. The platform's document shows neither,
 * so this file is our reading of them and the one place that holds it.
 */
import type { Graph, GraphEdge, GraphNode, GraphOutput, GraphVariable } from "../flow";

export interface WireGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly entry_node_id?: string;
  readonly context_variables: readonly GraphVariable[];
  readonly persona?: string;
  readonly component_outputs: readonly GraphOutput[];
}

export function graphToWire(graph: Graph): WireGraph {
  return {
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges.values()],
    ...(graph.entry === undefined ? {} : { entry_node_id: graph.entry }),
    context_variables: [...graph.variables.values()],
    ...(graph.persona === undefined ? {} : { persona: graph.persona }),
    component_outputs: graph.outputs,
  };
}

/**
 * Reads a graph, or says that there is none to read: the nodes must be there and every part that is present must make
 * sense, because a graph read by halves would look like somebody's deletion. A part that is missing is empty. The
 * `source_span` that travels with a node is no part of the graph and is left out.
 */
export function graphFromWire(wire: unknown): Graph | undefined {
  if (!isObject(wire)) return undefined;
  const nodes = keyed(wire.nodes, "id");
  const edges = keyed(wire.edges ?? [], "id");
  const variables = keyed(wire.context_variables ?? [], "name");
  const outputs = wire.component_outputs ?? [];
  const entry = wire.entry_node_id ?? undefined;
  const persona = wire.persona ?? undefined;
  if (!nodes || !edges || !variables || !Array.isArray(outputs) || !outputs.every(isObject)) return undefined;
  if (entry !== undefined && typeof entry !== "string") return undefined;
  if (persona !== undefined && typeof persona !== "string") return undefined;
  for (const edge of edges.values())
    if (typeof edge.source !== "string" || typeof edge.target !== "string") return undefined;
  for (const [id, { source_span, ...node }] of nodes) nodes.set(id, node);
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    variables: variables as Map<string, GraphVariable>,
    nodes: nodes as Map<string, GraphNode>,
    edges: edges as Map<string, GraphEdge>,
    outputs,
  };
}

type WireObject = Record<string, unknown>;

const isObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list of objects that name themselves, or an object that names its members; undefined where a name is missing or twice. */
function keyed(value: unknown, key: "id" | "name"): Map<string, WireObject> | undefined {
  const items = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => (isObject(item) ? { [key]: name, ...item } : item))
      : undefined;
  if (!items) return undefined;
  const map = new Map<string, WireObject>();
  for (const item of items) {
    if (!isObject(item)) return undefined;
    const name = item[key];
    if (typeof name !== "string" || map.has(name)) return undefined;
    map.set(name, item);
  }
  return map;
}
