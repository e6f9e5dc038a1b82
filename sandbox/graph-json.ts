/** Serializes graphs for responses. Graphs and their elements are immutable, so each is serialized once. */
import { type Graph, graphToWire } from "../flow";
import { listJson, withJson } from "./http/json";

export function shownGraph(graph: Graph): Record<string, unknown> {
  return withJson({ ...graphToWire(graph) }, () => [Buffer.from("{"), ...fieldsOf(graph)]);
}

/** `graph_version` is the version that a compiled graph was made from, which may be older than the current one. */
export function shownVersion(graph: Graph, version: number): Record<string, unknown> {
  return withJson({ graph_version: version, ...graphToWire(graph) }, () => [
    Buffer.from(`{"graph_version":${version},`),
    ...fieldsOf(graph),
  ]);
}

const graphs = new WeakMap<Graph, readonly Buffer[]>();

/** Everything after the opening brace. */
function fieldsOf(graph: Graph): readonly Buffer[] {
  let pieces = graphs.get(graph);
  if (!pieces) {
    const fields = Object.entries(graphToWire(graph)).flatMap(([name, value], index) => [
      Buffer.from(`${index > 0 ? "," : ""}"${name}":`),
      ...(Array.isArray(value) ? listJson(value) : [Buffer.from(JSON.stringify(value))]),
    ]);
    pieces = [...fields, Buffer.from("}")];
    graphs.set(graph, pieces);
  }
  return pieces;
}
