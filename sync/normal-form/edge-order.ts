/**
 * Handles platforms that return edges in a different order with every read. The order of edges from different nodes has
 * no meaning and is never compared. Among the edges of one node the first match wins, so another order is a change,
 * unless it comes from reading alone: the same version has another order. From then on the platform's order is ignored,
 * and its graphs are sorted into the file's order.
 */
import { applyOps, edgesBySource, type Graph, type GraphEdge, sameGraph } from "../../flow";
import type { JournalRecord, Known } from "../journal/record";
import { view } from "../reconcile";
import { sameOrder } from "./normal-form";

/** Whether edges that two graphs share are in another order at any node. */
export function orderDiffers(a: Graph, b: Graph): boolean {
  const others = edgesBySource(b);
  const idsIn = (edges: readonly GraphEdge[] = []) => edges.map(({ id }) => id);
  return [...edgesBySource(a)].some(([source, edges]) => !sameOrder(idsIn(edges), idsIn(others.get(source))));
}

/** Whether a graph equals the one known for the same version except for the order of edges. */
export function isReordered({ graph, version }: Known, known: Known | undefined): boolean {
  return (
    known?.version === version &&
    !sameGraph(graph, known.graph) &&
    sameGraph(inOrderOf(graph, known.graph), known.graph)
  );
}

/** The platform's graph in the order of the base plus the batch in flight; before a first push, in the order last seen. */
export function inKnownOrder(seen: Graph, { base, remote, inFlight }: JournalRecord): Graph {
  const last = base ?? remote;
  if (!last) return seen;
  const known = view(last);
  return inOrderOf(seen, applyOps(known, inFlight?.ops ?? []).graph ?? known);
}

/** A graph with the edges of each node in the order of another graph; edges that it lacks come last. */
function inOrderOf(graph: Graph, other: Graph): Graph {
  const place = new Map([...other.edges.keys()].map((id, index) => [id, index]));
  const placeOf = ({ id }: GraphEdge) => place.get(id) ?? place.size;
  const lists = [...edgesBySource(graph).values()];
  const sorted = lists.flatMap((list) => [...list].sort((a, b) => placeOf(a) - placeOf(b)));
  return { ...graph, edges: new Map(sorted.map((edge) => [edge.id, edge])) };
}
