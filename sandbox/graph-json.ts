/** Serializes graphs for responses. Graphs are immutable, so each is serialized once. */
import { type Graph, graphToWire } from "../flow";
import { withJson } from "./http/json";

export function shownGraph(graph: Graph): Record<string, unknown> {
  return withJson({ ...graphToWire(graph) }, () => [Buffer.from("{"), fieldsOf(graph)]);
}

/** `graph_version` is the version that a compiled graph was made from, which may be older than the current one. */
export function shownVersion(graph: Graph, version: number): Record<string, unknown> {
  const start = () => Buffer.from(`{"graph_version":${version},`);
  return withJson({ graph_version: version, ...graphToWire(graph) }, () => [start(), fieldsOf(graph)]);
}

const graphs = new WeakMap<Graph, Buffer>();

/** Everything after the opening brace. */
function fieldsOf(graph: Graph): Buffer {
  let fields = graphs.get(graph);
  if (!fields) {
    fields = Buffer.from(JSON.stringify(graphToWire(graph)).slice(1));
    graphs.set(graph, fields);
  }
  return fields;
}
