/** Graphs as they stand in answers. Neither a graph nor an element of one ever changes, so each is written once. */
import { type Graph, graphToWire } from "../flow";
import { listJson, withJson } from "./http/json";

export function shownGraph(graph: Graph): Record<string, unknown> {
  return withJson({ ...graphToWire(graph) }, () => [Buffer.from("{"), ...fieldsOf(graph)]);
}

/** `graph_version` says which version a compiled graph was made from, because it lags behind the newest one. */
export function shownVersion(graph: Graph, version: number): Record<string, unknown> {
  return withJson({ graph_version: version, ...graphToWire(graph) }, () => [
    Buffer.from(`{"graph_version":${version},`),
    ...fieldsOf(graph),
  ]);
}

const graphs = new WeakMap<Graph, readonly Buffer[]>();

/** Everything behind the opening brace. */
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
