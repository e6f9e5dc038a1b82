/**
 * The graph in responses of the platform (`normalized_graph`, `compiled_graph`). Its documentation only calls it an
 * object, so this file is the only place with our interpretation (docs/assumptions.md). Writing is exact; reading
 * accepts lists or maps and other names of the entry, and returns `undefined` rather than half a graph.
 */

import { isRecord } from "../json";
import type { Graph, GraphEdge, GraphNode, GraphOutput, GraphVariable } from "./graph";

export interface WireGraph {
  readonly persona?: string;
  readonly entry_node_id?: string;
  readonly context_variables: readonly GraphVariable[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly component_outputs: readonly GraphOutput[];
}

export function graphToWire(graph: Graph): WireGraph {
  return {
    ...(graph.persona === undefined ? {} : { persona: graph.persona }),
    ...(graph.entry === undefined ? {} : { entry_node_id: graph.entry }),
    context_variables: [...graph.variables.values()],
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges.values()],
    component_outputs: graph.outputs,
  };
}

export function graphFromWire(wire: unknown): Graph | undefined {
  const read = readWire(wire);
  return "problem" in read ? undefined : read;
}

/** The graph in a response, or why it can't be read, as part of a sentence. */
export function readWire(wire: unknown): Graph | { readonly problem: string } {
  if (wire === undefined || wire === null) return { problem: "the response has none" };
  if (!isRecord(wire)) return { problem: "it isn't an object" };
  if (wire.nodes === undefined) return { problem: `it has no \`nodes\` (it has ${namesOf(wire)})` };
  const nodes = byIdentity<GraphNode>(wire.nodes, "id");
  if (!nodes) return { problem: "`nodes` isn't a list of nodes, each with its own `id`" };
  const edges = byIdentity<GraphEdge>(wire.edges ?? [], "id");
  if (!edges) return { problem: "`edges` isn't a list of edges, each with its own `id`" };
  for (const edge of edges.values())
    for (const end of ["source", "target"] as const)
      if (typeof edge[end] !== "string") return { problem: `an edge has no \`${end}\` (it has ${namesOf(edge)})` };
  const variables = byIdentity<GraphVariable>(wire.context_variables ?? wire.variables ?? [], "name");
  if (!variables) return { problem: "`context_variables` isn't a list of variables, each with its own `name`" };
  const outputs = wire.component_outputs ?? wire.outputs ?? [];
  if (!Array.isArray(outputs)) return { problem: "`component_outputs` isn't a list" };
  const persona = wire.persona ?? undefined;
  const entry = wire.entry_node_id ?? wire.entry_node ?? wire.entry ?? undefined;
  if (!isTextOrNothing(persona) || !isTextOrNothing(entry)) return { problem: "its persona or entry isn't a string" };
  leaveOut(nodes, edges);
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    nodes,
    edges,
    variables,
    outputs,
  };
}

/**
 * Removes what a flow file can't represent, so it's neither shown nor changed: edges from missing nodes, and fields
 * whose keys the file uses for something else.
 */
function leaveOut(nodes: Map<string, GraphNode>, edges: Map<string, GraphEdge>): void {
  for (const [id, { edges: own, ...node }] of nodes) if (own !== undefined) nodes.set(id, { ...node, id });
  for (const [id, { to, ...edge }] of edges)
    if (!nodes.has(edge.source)) edges.delete(id);
    else if (to !== undefined) edges.set(id, { ...edge, id } as GraphEdge);
}

function namesOf(record: object): string {
  const names = Object.keys(record).map((name) => `\`${name.slice(0, 40)}\``);
  return names.slice(0, 6).join(", ") + (names.length > 6 ? ", …" : "") || "nothing";
}

/** A list of records with identities, or a map from identity to record. */
function byIdentity<T>(value: unknown, key: "id" | "name"): Map<string, T> | undefined {
  const result = new Map<string, T>();
  const items = Array.isArray(value)
    ? value
    : isRecord(value)
      ? Object.entries(value).map(([name, item]) => (isRecord(item) ? { ...item, [key]: name } : item))
      : undefined;
  if (!items) return undefined;
  for (const item of items) {
    const name = isRecord(item) ? item[key] : undefined;
    if (typeof name !== "string" || result.has(name)) return undefined;
    result.set(name, item as T);
  }
  return result;
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
