/** How far it is from places of a flow to some nodes: what `at_most` asks. */
import type { Paths, Place } from "./paths";
import type { Demand } from "./policy-file";
import {
  breaking,
  isAllowed,
  type Matches,
  pathOf,
  type Searched,
  type Stands,
  type Trail,
  type Watch,
} from "./search";

type AtMost = Demand & { kind: "at-most" };

/** Every place that can be reached, nearest first, and the ways backwards; the same for all policies. */
export class Reach {
  readonly trail: Trail;
  /** The ways that lead to step n of the trail are those from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Int32Array;
  /** Of each of them the step it leaves, and its number among the ways. */
  readonly sources: Int32Array;
  readonly ways: Int32Array;
  /** By place: its step. */
  readonly steps: readonly (number | undefined)[];

  constructor(
    readonly paths: Paths,
    start: Place,
  ) {
    this.trail = { places: [start], before: [-1], by: [-1] };
    const { places, before, by } = this.trail;
    const steps: (number | undefined)[] = new Array(paths.size);
    this.steps = steps;
    steps[start] = 0;
    for (let step = 0; step < places.length; step++) {
      const first = paths.firstWay(places[step] as Place);
      for (let way = first; way < first + paths.wayCount(places[step] as Place); way++) {
        const to = paths.to[way] as Place;
        if (steps[to] !== undefined) continue;
        steps[to] = places.length;
        places.push(to);
        before.push(step);
        by.push(way);
      }
    }
    const starts = new Int32Array(places.length + 1);
    const each = (visit: (step: number, way: number, to: number) => void) => {
      // From behind, so that the ways to a step end up in order.
      for (let step = places.length - 1; step >= 0; step--) {
        const first = paths.firstWay(places[step] as Place);
        for (let way = first + paths.wayCount(places[step] as Place) - 1; way >= first; way--)
          visit(step, way, steps[paths.to[way] as Place] as number);
      }
    };
    each((_, __, to) => {
      starts[to] = (starts[to] as number) + 1;
    });
    for (let step = 1; step <= places.length; step++)
      starts[step] = (starts[step] as number) + (starts[step - 1] as number);
    this.sources = new Int32Array(starts.at(-1) as number);
    this.ways = new Int32Array(this.sources.length);
    each((step, way, to) => {
      const at = (starts[to] as number) - 1;
      starts[to] = at;
      this.sources[at] = step;
      this.ways[at] = way;
    });
    this.starts = starts;
  }
}

/** A shortest path from the entry that is longer than it may be, or its first node where there is none. */
export function tooLongFromEntry({ most, to }: AtMost, matches: Matches, shape: Paths, known: Paths): Searched {
  const { start } = known;
  if (start === undefined) return { path: { nodes: [], edges: [] }, stands: () => true };
  const arrival: Watch = { roles: matches.of(to), isWaitingAtStart: true, breaksAtEnd: false };
  const byShape = breaking(arrival, shape);
  const isSure = !byShape.path || isAllowed(byShape.path, known, false);
  const { path, stands } = isSure ? byShape : breaking(arrival, known);
  if (!path) return { path: { nodes: [known.node(start)], edges: [] }, stands };
  return { path: path.edges.length <= most ? undefined : path, stands };
}

/** A shortest path over a place of `from` whose way is too long, along that way; or to it where it has none. */
export function tooLong(demand: AtMost, matches: Matches, reach: Reach): Searched {
  const { paths, trail, ways } = reach;
  const from = matches.of(demand.from);
  const { lengths, next, first } = waysOn(reach, matches.of(demand.to), false);
  let shortest: ReturnType<typeof pathOf> | undefined;
  trail.places.forEach((place, step) => {
    const length = lengths[step] as number;
    if (from[paths.at[place] as number] === 0 || (length >= 0 && length <= demand.most)) return;
    const path = pathOf(trail, paths, step);
    for (let at = step; (next[at] as number) >= 0; at = next[at] as number) {
      path.nodes.push(paths.node(trail.places[next[at] as number] as Place));
      path.edges.push(paths.edge(trail.places[at] as Place, ways[first[at] as number] as number));
    }
    if (!shortest || path.nodes.length < shortest.nodes.length) shortest = path;
  });
  return { path: shortest, stands: shortest ? () => false : standing(reach, lengths, false) };
}

/**
 * Whether the way is short enough from everywhere whatever the conditions say, so that what is known needn't be looked at: where
 * no condition can close an edge it may be taken, and where one edge of several is left, the worst of them counts.
 */
export function isNearAnyway(demand: AtMost, matches: Matches, reach: Reach): Stands | undefined {
  const from = matches.of(demand.from);
  const { lengths } = waysOn(reach, matches.of(demand.to), true);
  const isNear = reach.trail.places.every((place, step) => {
    const length = lengths[step] as number;
    return from[reach.paths.at[place] as number] === 0 || (length >= 0 && length <= demand.most);
  });
  return isNear ? standing(reach, lengths, true) : undefined;
}

/** Lengths hold as long as each edited place still has a way on that is nearer, and leads nowhere that wasn't reached before. */
function standing({ paths, steps }: Reach, lengths: Int32Array, isWorst: boolean): Stands {
  const { age } = paths;
  const holds = (place: Place): boolean => {
    const step = steps[place];
    if (step === undefined) return true;
    const length = lengths[step] as number;
    const first = paths.firstWay(place);
    const count = paths.wayCount(place);
    let nearer = 0;
    let isOpen = false;
    for (let way = first; way < first + count; way++) {
      const next = steps[paths.to[way] as Place];
      if (next === undefined) return false;
      const left = lengths[next] as number;
      if (left < 0 || left >= length) continue;
      nearer++;
      if (!isWorst || paths.isSure[way]) isOpen = true;
    }
    return length <= 0 || isOpen || (isWorst && nearer === count && count > 0 && !paths.mayEnd(place));
  };
  return (edited) => age === paths.age && edited.every((number) => paths.placesOf(number).every(holds));
}

interface WaysOn {
  /** By step of the trail: how many edges the way has, -1 where there is none. */
  readonly lengths: Int32Array;
  /** The step after it, and the backward way between. */
  readonly next: Int32Array;
  readonly first: Int32Array;
}

/** From each step the shortest way to one of some nodes; or one that no condition can make longer. */
function waysOn({ trail: { places }, starts, sources, ways, paths }: Reach, to: Uint8Array, isWorst: boolean): WaysOn {
  const lengths = new Int32Array(places.length).fill(-1);
  const next = new Int32Array(places.length).fill(-1);
  const first = new Int32Array(places.length);
  // How many ways out aren't known yet to lead there. Where a run may end that never comes to none.
  const open = isWorst
    ? Int32Array.from(places, (place) => (paths.mayEnd(place) ? -1 : paths.wayCount(place)))
    : undefined;
  const queue: number[] = [];
  places.forEach((place, step) => {
    if (to[paths.at[place] as number] === 0) return;
    lengths[step] = 0;
    queue.push(step);
  });
  for (let read = 0; read < queue.length; read++) {
    const step = queue[read] as number;
    for (let at = starts[step] as number; at < (starts[step + 1] as number); at++) {
      const from = sources[at] as number;
      if (open) open[from] = (open[from] as number) - 1;
      if (lengths[from] !== -1 || (open && open[from] !== 0 && !paths.isSure[ways[at] as number])) continue;
      lengths[from] = (lengths[step] as number) + 1;
      next[from] = step;
      first[from] = at;
      queue.push(from);
    }
  }
  return { lengths, next, first };
}
