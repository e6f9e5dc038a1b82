/** Edges that exist in both flows, and how the decision about them changed. */
import { matchEdges } from "../graph/edge-match";
import type { GraphEdge } from "../graph/graph";
import { whoDecides } from "../run/edge-condition";
import type { Program, RunEdge } from "../run/program";

export interface PairedEdge {
  readonly before: RunEdge;
  readonly after: RunEdge;
}

/** The edges of nodes in both flows, without unchanged ones. */
export function pairedEdges(from: Program, to: Program): PairedEdge[] {
  const found: PairedEdge[] = [];
  for (const [id, { edges, block }] of to.nodes) {
    const old = from.nodes.get(id);
    if (!old || old.edges === edges) continue;
    if (old.block === block) {
      for (const [at, after] of edges.entries()) found.push({ before: old.edges[at] as RunEdge, after });
      continue;
    }
    const wires = (list: readonly RunEdge[]) => list.map(({ model }) => model.wire as GraphEdge);
    for (const { before, after } of matchEdges(wires(old.edges), wires(edges)).pairs)
      found.push({ before: old.edges[before] as RunEdge, after: edges[after] as RunEdge });
  }
  return found;
}

/** IDs of edges whose condition was decided by values and is now left to the model, entirely or in part. */
export function leftToModel(pairs: readonly PairedEdge[]): string[] {
  const prose = ({ condition }: RunEdge) => (condition ? MODEL[whoDecides(condition).decided] : 0);
  return pairs
    .filter(({ before, after }) => before.condition && prose(after) > prose(before))
    .map(({ after }) => after.id);
}

/** How much of a condition is left to the model. */
const MODEL = { offline: 0, partly: 1, model: 2 } as const;
