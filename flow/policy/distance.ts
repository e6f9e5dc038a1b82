/** Distances from places of a flow to some nodes, for `at_most`. */

import type { RunNode } from "../run/program";
import type { Matches } from "./matches";
import { edgeOf, type Paths, type Place, type Way } from "./paths";
import type { Demand } from "./policy-file";
import { arrivalAt, type BreakingPath, breaking, isAllowed, pathOf, type Step } from "./search";

type AtMost = Demand & { kind: "at-most" };

/** Every reachable place, nearest first, and by its index the ways into each; shared by all policies. */
export class Reach {
  readonly steps: readonly Step[];
  readonly into: Way[][] = [];

  constructor(
    readonly paths: Paths,
    start: Place,
  ) {
    const steps: Step[] = [{ place: start }];
    this.into[start.index] = [];
    for (const before of steps) {
      paths.work?.spend(2);
      for (const way of paths.exits(before.place).ways) {
        const { index } = way.to;
        if (!this.into[index]) steps.push({ place: way.to, before, way });
        this.into[index] ??= [];
        this.into[index].push(way);
      }
    }
    this.steps = steps;
  }
}

/** A shortest path from the entry that's too long, or only its first node if there's none. */
export function tooLongFromEntry(
  { most, to, except }: AtMost,
  matches: Matches,
  shape: Paths,
  known: Paths,
): BreakingPath | undefined {
  const { start } = known;
  if (start === undefined) return { nodes: [], edges: [] };
  const entry = start.node;
  if (except?.includes(entry.id)) return undefined;
  const targets = matches.of(to);
  const arrival = arrivalAt(targets);
  const byShape = breaking(arrival, shape);
  const path = !byShape || isAllowed(byShape, known, false) ? byShape : breaking(arrival, known);
  const way = wayFrom(entry, path?.edges.length, targets);
  if (!path) return { nodes: [entry], edges: [], way };
  return path.edges.length <= most ? undefined : { ...path, way };
}

function wayFrom(node: RunNode | undefined, steps: number | undefined, to: ReadonlySet<RunNode>): BreakingPath["way"] {
  return { from: node?.id ?? "", steps, isThere: to.size > 0 };
}

/** A shortest path over a place of `from` whose distance is too long; or only to it if no path exists. */
export function tooLong(demand: AtMost, matches: Matches, reach: Reach): BreakingPath | undefined {
  const from = matches.of(demand.from, demand.except);
  const to = matches.of(demand.to);
  const onwards = waysOn(reach, to, false);
  let shortest: { readonly step: Step; readonly edges: number } | undefined;
  // By place: the number of edges from the entry.
  const edgesTo: number[] = [];
  for (const step of reach.steps) {
    const own = step.before ? (edgesTo[step.before.place.index] as number) + 1 : 0;
    edgesTo[step.place.index] = own;
    const length = onwards.lengths[step.place.index];
    if (!from.has(step.place.node) || (length !== undefined && length <= demand.most)) continue;
    const edges = own + (length ?? 0);
    if (!shortest || edges < shortest.edges) shortest = { step, edges };
  }
  if (!shortest) return undefined;
  const path = pathOf(shortest.step);
  const way = wayFrom(path.nodes.at(-1), onwards.lengths[shortest.step.place.index], to);
  for (let next = onwards.ways[shortest.step.place.index]; next; next = onwards.ways[next.to.index]) {
    path.nodes.push(next.to.node);
    path.edges.push(edgeOf(next));
  }
  return { ...path, way };
}

/**
 * Whether the distance is short enough from everywhere regardless of conditions, so that facts needn't be tracked: an
 * edge that no condition can close may be taken, and among several, the worst counts.
 */
export function isNearAnyway(demand: AtMost, matches: Matches, reach: Reach): boolean {
  const from = matches.of(demand.from, demand.except);
  const { lengths } = waysOn(reach, matches.of(demand.to), true);
  return reach.steps.every(
    ({ place }) => !from.has(place.node) || (lengths[place.index] ?? Number.POSITIVE_INFINITY) <= demand.most,
  );
}

/** By place: the number of edges of a path, and its first way. */
interface Onwards {
  readonly lengths: readonly (number | undefined)[];
  readonly ways: readonly (Way | undefined)[];
}

/** The shortest paths to one of some nodes; with `isWorst` those that no condition can extend. */
function waysOn({ steps, into, paths }: Reach, to: ReadonlySet<RunNode>, isWorst: boolean): Onwards {
  paths.work?.spend(2 * steps.length);
  const count = paths.places.length;
  const lengths = new Array<number | undefined>(count);
  const ways = new Array<Way | undefined>(count);
  const queue = steps.flatMap(({ place }) => (to.has(place.node) ? place : []));
  for (const { index } of queue) lengths[index] = 0;
  // The number of ways not yet known to lead there.
  const open = new Array<number | undefined>(count);
  for (const place of queue)
    for (const way of into[place.index] ?? []) {
      const { from, isSure } = way;
      if (isWorst) {
        const exits = paths.exits(from);
        const left = (open[from.index] ?? exits.ways.length) - 1;
        open[from.index] = left;
        if (!isSure && (left > 0 || exits.mayEnd)) continue;
      }
      if (lengths[from.index] !== undefined) continue;
      lengths[from.index] = (lengths[place.index] as number) + 1;
      ways[from.index] = way;
      queue.push(from);
    }
  return { lengths, ways };
}
