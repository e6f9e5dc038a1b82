/**
 * Platforms that show edges in another order with every read. Among edges of different nodes the order means nothing, and no
 * comparison in sync looks at it. Among the edges of one node the first match wins, so another order is somebody's change,
 * unless it comes from reading alone: the same version shows another order. From then on the order of such a platform isn't
 * believed, and what is seen is put in the order that the file has.
 */
import { applyOps, edgesBySource, type Graph, type GraphEdge, sameGraph } from "../../flow";
import type { JournalRecord, Known } from "../journal/journal";
import { view } from "../reconcile";
import { sameOrder } from "./normal-form";

/** Whether edges that two graphs have in common are in another order at any node. */
export function orderDiffers(a: Graph, b: Graph): boolean {
  const others = edgesBySource(b);
  const idsIn = (edges: readonly GraphEdge[] = []) => edges.map(({ id }) => id);
  return [...edgesBySource(a)].some(([source, edges]) => !sameOrder(idsIn(edges), idsIn(others.get(source))));
}

/** Whether a graph is one that is known under the same version, in another order of edges. */
export function isReordered({ graph, version }: Known, known: Known | undefined): boolean {
  return (
    known?.version === version &&
    !sameGraph(graph, known.graph) &&
    sameGraph(inOrderOf(graph, known.graph), known.graph)
  );
}

/** What was seen, in the order that the file was known to have, with what was sent since; before a first push, as it was last seen. */
export function inKnownOrder(seen: Graph, { base, remote, inFlight }: JournalRecord): Graph {
  const last = base ?? remote;
  if (!last) return seen;
  const known = view(last);
  const ops = [...(inFlight?.answered ?? []).flat(), ...(inFlight?.ops ?? [])];
  return inOrderOf(seen, applyOps(known, ops).graph ?? known);
}

/** A graph with the edges of each node in the order of another graph; those that it lacks come last. */
function inOrderOf(graph: Graph, other: Graph): Graph {
  const place = new Map([...other.edges.keys()].map((id, index) => [id, index]));
  const placeOf = ({ id }: GraphEdge) => place.get(id) ?? place.size;
  const lists = [...edgesBySource(graph).values()];
  const sorted = lists.flatMap((list) => [...list].sort((a, b) => placeOf(a) - placeOf(b)));
  return { ...graph, edges: new Map(sorted.map((edge) => [edge.id, edge])) };
}
