/** Distances from places of a flow to some nodes, for `at_most`. */

import { longer, Trail } from "../run/numbers";
import type { RunNode } from "../run/program";
import type { Matches } from "./matches";
import type { Paths, Place } from "./paths";
import type { Demand } from "./policy-file";
import { type BreakingPath, breaking, isAllowed, pathOf, type Watch } from "./search";

type AtMost = Demand & { kind: "at-most" };

/** Every reachable place, nearest first, and the passages backwards; shared by all policies. */
export class Reach {
  readonly trail: Trail;
  /** The ways that lead to step n of the trail are those from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Int32Array;
  /** For each of these, the step it leaves, and its passage number. */
  readonly sources: Int32Array;
  readonly ways: Int32Array;
  constructor(
    readonly paths: Paths,
    start: Place,
  ) {
    // Preallocated: most nodes can be reached, and growing takes time.
    const trail = new Trail(Math.max(paths.nodes.length, paths.size) + 64);
    this.trail = trail;
    trail.push(start, -1, -1);
    let steps = new Int32Array(Math.max(paths.size, start + 1));
    steps[start] = 1;
    let count = 0;
    for (let step = 0; step < trail.length; step++) {
      paths.work?.spend(2);
      const place = trail.places.values[step] as Place;
      const first = paths.firstWay(place);
      const end = first + paths.wayCount(place);
      const { to } = paths;
      if (paths.size > steps.length) steps = longer(steps, 2 * paths.size);
      count += end - first;
      for (let way = first; way < end; way++) {
        const next = to[way] as Place;
        if (steps[next] !== 0) continue;
        trail.push(next, step, way);
        steps[next] = trail.length;
      }
    }
    // A counting sort, filled from the end, so that the passages to a step stay in order.
    const starts = new Int32Array(trail.length + 1);
    this.sources = new Int32Array(count);
    this.ways = new Int32Array(count);
    const { to } = paths;
    const places = trail.places.values;
    for (let step = 0; step < trail.length; step++) {
      const first = paths.firstWay(places[step] as Place);
      for (let way = first + paths.wayCount(places[step] as Place) - 1; way >= first; way--)
        (starts[(steps[to[way] as Place] as number) - 1] as number)++;
    }
    for (let step = 1; step <= trail.length; step++)
      starts[step] = (starts[step] as number) + (starts[step - 1] as number);
    for (let step = trail.length - 1; step >= 0; step--) {
      const first = paths.firstWay(places[step] as Place);
      for (let way = first + paths.wayCount(places[step] as Place) - 1; way >= first; way--) {
        const next = (steps[to[way] as Place] as number) - 1;
        const at = (starts[next] as number) - 1;
        starts[next] = at;
        this.sources[at] = step;
        this.ways[at] = way;
      }
    }
    this.starts = starts;
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
  const entry = known.node(start);
  if (except?.includes(entry.id)) return undefined;
  const arrival: Watch = { roles: matches.of(to), isWaitingAtStart: true, breaksAtEnd: false };
  const byShape = breaking(arrival, shape);
  const path = !byShape || isAllowed(byShape, known, false) ? byShape : breaking(arrival, known);
  const way = wayFrom(entry, path?.edges.length, arrival.roles);
  if (!path) return { nodes: [entry], edges: [], way };
  return path.edges.length <= most ? undefined : { ...path, way };
}

function wayFrom(node: RunNode | undefined, steps: number | undefined, to: Uint8Array): BreakingPath["way"] {
  return { from: node?.id ?? "", steps, isThere: to.includes(1) };
}

/** A shortest path over a place of `from` whose distance is too long; or only to it if no path exists. */
export function tooLong(demand: AtMost, matches: Matches, reach: Reach): BreakingPath | undefined {
  const { paths, trail, ways } = reach;
  const from = matches.of(demand.from, demand.except);
  const { lengths, next, first } = waysOn(reach, matches.of(demand.to), from);
  const places = trail.places.values;
  let shortest: { readonly step: number; readonly edges: number } | undefined;
  const edgesTo = new Int32Array(trail.length);
  for (let step = 0; step < trail.length; step++) {
    if (step > 0) edgesTo[step] = (edgesTo[trail.before.values[step] as number] as number) + 1;
    const length = lengths[step] as number;
    if (from[paths.at[places[step] as Place] as number] === 0 || (length >= 0 && length <= demand.most)) continue;
    const edges = (edgesTo[step] as number) + Math.max(length, 0);
    if (!shortest || edges < shortest.edges) shortest = { step, edges };
  }
  if (!shortest) return undefined;
  const path = pathOf(trail, paths, shortest.step);
  const steps = lengths[shortest.step] as number;
  const way = wayFrom(path.nodes.at(-1), steps < 0 ? undefined : steps, matches.of(demand.to));
  for (let at = shortest.step; (next[at] as number) >= 0; at = next[at] as number) {
    path.nodes.push(paths.node(places[next[at] as number] as Place));
    path.edges.push(paths.edge(places[at] as Place, ways[first[at] as number] as number));
  }
  return { ...path, way };
}

/**
 * Whether the distance is short enough from everywhere regardless of conditions, so that facts needn't be tracked: an
 * edge that no condition can close may be taken, and among several, the worst counts.
 */
export function isNearAnyway(demand: AtMost, matches: Matches, reach: Reach): boolean {
  const from = matches.of(demand.from, demand.except);
  const { lengths } = waysOn(reach, matches.of(demand.to));
  const { at } = reach.paths;
  const places = reach.trail.places.values;
  for (let step = 0; step < reach.trail.length; step++) {
    const length = lengths[step] as number;
    if (from[at[places[step] as Place] as number] === 1 && (length < 0 || length > demand.most)) return false;
  }
  return true;
}

interface WaysOn {
  /** By step of the trail: the number of edges of the path, or -1. */
  readonly lengths: Int32Array;
  /** The next step, and the backward passage between. */
  readonly next: Int32Array;
  readonly first: Int32Array;
}

/**
 * The shortest path to one of some nodes from all steps at `from`, and from others that are no farther. Without `from`:
 * from each step, one that no condition can extend.
 */
function waysOn({ trail, starts, sources, ways, paths }: Reach, to: Uint8Array, from?: Uint8Array): WaysOn {
  const isWorst = from === undefined;
  const count = trail.length;
  paths.work?.spend(2 * count);
  const lengths = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const first = new Int32Array(count);
  // The number of outgoing passages not yet known to lead there. If a run may end, it never becomes 0.
  const open = new Int32Array(isWorst ? count : 0);
  const queue = new Int32Array(count);
  let queued = 0;
  // The number of steps at `from` without a path yet.
  let missing = 0;
  const { at: nodeAt, isSure } = paths;
  const places = trail.places.values;
  for (let step = 0; step < count; step++) {
    const place = places[step] as Place;
    if (isWorst) open[step] = paths.mayEnd(place) ? -1 : paths.wayCount(place);
    const node = nodeAt[place] as number;
    if (to[node] === 0) {
      if (from?.[node] === 1) missing++;
      continue;
    }
    lengths[step] = 0;
    queue[queued++] = step;
  }
  for (let read = 0; read < queued && (isWorst || missing > 0); read++) {
    const step = queue[read] as number;
    const length = (lengths[step] as number) + 1;
    const end = starts[step + 1] as number;
    for (let at = starts[step] as number; at < end; at++) {
      const source = sources[at] as number;
      if (isWorst) open[source] = (open[source] as number) - 1;
      if (lengths[source] !== -1 || (isWorst && open[source] !== 0 && isSure[ways[at] as number] === 0)) continue;
      lengths[source] = length;
      next[source] = step;
      first[source] = at;
      queue[queued++] = source;
      if (from?.[nodeAt[places[source] as Place] as number] === 1) missing--;
    }
  }
  return { lengths, next, first };
}
