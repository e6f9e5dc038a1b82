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

/** What became of an edge that both flows have, in terms a reviewer knows. */
export interface EdgeChange {
  readonly kind: "not-taken" | "left-to-model" | "unconditional" | "other-event";
  readonly edge: string;
  readonly from: string;
  readonly to: string;
  /** Its event, its condition or its label. */
  readonly by: string;
  /** The condition or event it had before, where it has another one now, or none. */
  readonly was?: string;
}

/** Edges whose condition was decided by values and is now left to the model, entirely or in part. */
export function leftToModel(pairs: readonly PairedEdge[]): EdgeChange[] {
  const prose = ({ condition }: RunEdge) => (condition ? MODEL[whoDecides(condition).decided] : 0);
  return pairs
    .filter(({ before, after }) => before.condition && prose(after) > prose(before))
    .map((pair) => edgeChange("left-to-model", pair));
}

/** Edges that lost their condition. */
export function unguarded(pairs: readonly PairedEdge[]): EdgeChange[] {
  return pairs
    .filter(({ before, after }) => before.when !== undefined && after.when === undefined)
    .map((pair) => edgeChange("unconditional", pair));
}

/** Edges that wait for another event, for one where there was none, or for none any more. */
export function otherEvents(pairs: readonly PairedEdge[]): EdgeChange[] {
  return pairs
    .filter(({ before, after }) => before.on !== after.on)
    .map((pair) => ({ ...edgeChange("other-event", pair), was: edgeWords(pair.before) }));
}

export function edgeChange(kind: EdgeChange["kind"], { before, after }: PairedEdge): EdgeChange {
  const { id: edge, from, to } = after;
  const was = before.when !== undefined && before.when !== after.when ? { was: before.when } : {};
  return { kind, edge, from, to, by: edgeWords(after), ...was };
}

/** What tells an edge from others between the same nodes. */
export function edgeWords({ on, when, label }: RunEdge): string {
  return on !== undefined ? `on ${on}` : (when ?? label ?? "default");
}

/** How much of a condition is left to the model. */
const MODEL = { offline: 0, partly: 1, model: 2 } as const;
