/**
 * Searches for a path that breaks a policy, over the places of the flow and the policy's state. It's breadth first, so
 * the first path found is a shortest one.
 */
import type { Passage, RunEdge, RunNode } from "../run/program";
import type { Matches } from "./matches";
import { edgeOf, type Paths, type Place, type Way } from "./paths";
import type { Demand } from "./policy-file";

export interface BreakingPath {
  readonly nodes: readonly RunNode[];
  /** From each node to the next; undefined if it enters a component. */
  readonly edges: readonly (RunEdge | undefined)[];
  /** For a path that's too long: its start, its number of edges if there is one, and whether the flow has the target. */
  readonly way?: { readonly from: string; readonly steps: number | undefined; readonly isThere: boolean };
}

/** The roles of nodes in a policy. */
const role = {
  /** Entering it while the policy waits breaks the policy. */
  breaks: 1,
  /** The policy starts waiting here. */
  arms: 2,
  /** The policy stops waiting here. */
  calms: 4,
  /** Nothing after it can break the policy. */
  keeps: 8,
  /** A run that ends here doesn't break it. */
  mayEnd: 16,
};

/** What a policy looks for on a path. Its only state is whether it's waiting. */
export interface Watch {
  /** The roles of each node that has any. */
  readonly roles: ReadonlyMap<RunNode, number>;
  readonly isWaitingAtStart: boolean;
  /** Edges that satisfy it permanently. */
  readonly keeping?: ReadonlySet<Passage>;
  /** Whether a run that ends while it waits breaks it. */
  readonly breaksAtEnd: boolean;
}

/** A watch for the first arrival at some nodes. */
export function arrivalAt(nodes: Iterable<RunNode>): Watch {
  const roles = new Map([...nodes].map((node) => [node, role.breaks]));
  return { roles, isWaitingAtStart: true, breaksAtEnd: false };
}

export function watchFor(demand: Exclude<Demand, { kind: "at-most" }>, matches: Matches): Watch {
  const roles = new Map<RunNode, number>();
  const add = (nodes: Iterable<RunNode>, own: number) => {
    for (const node of nodes) roles.set(node, (roles.get(node) ?? 0) | own);
  };
  switch (demand.kind) {
    case "passes": {
      const { by } = demand;
      const passes = matches.of(demand.passes);
      add(matches.of(demand.to, demand.except), role.breaks);
      if (by === undefined) for (const node of passes) roles.set(node, role.keeps);
      const keeping = by === undefined ? {} : { keeping: matches.edgesNamed(passes, by) };
      return { roles, isWaitingAtStart: true, breaksAtEnd: false, ...keeping };
    }
    case "never": {
      add(matches.of(demand.without), role.calms);
      for (const node of matches.of(demand.from, demand.except)) roles.set(node, role.arms);
      add(matches.of(demand.to, demand.except), role.breaks);
      return { roles, isWaitingAtStart: false, breaksAtEnd: false };
    }
    case "always": {
      add(matches.of(demand.after, demand.except), role.arms);
      for (const node of matches.of(demand.always)) roles.set(node, role.calms);
      add(matches.named(demand.except), role.mayEnd);
      return { roles, isWaitingAtStart: false, breaksAtEnd: true };
    }
  }
}

/** A step of a search, and the way to it. */
export interface Step {
  readonly place: Place;
  readonly before?: Step | undefined;
  readonly way?: Way | undefined;
}

/** A shortest path that breaks a policy, if there is one. */
export function breaking(watch: Watch, paths: Paths): BreakingPath | undefined {
  const { start } = paths;
  if (start === undefined) return undefined;
  const { roles, keeping, isWaitingAtStart, breaksAtEnd } = watch;
  const steps: (Step & { readonly isWaiting: boolean })[] = [];
  // By place: whether it was reached while the policy waits, and while it doesn't.
  const seen: { waiting: boolean[]; calm: boolean[] } = { waiting: [], calm: [] };
  /** Continues to a place with the previous state; true if that breaks the policy. */
  const goOn = (place: Place, wasWaiting: boolean, before?: Step, way?: Way): boolean => {
    const own = roles.get(place.node) ?? 0;
    if ((own & role.keeps) !== 0 || (way && keeping?.has(way.passage))) return false;
    const breaks = wasWaiting && (own & role.breaks) !== 0;
    const isWaiting = (own & role.arms) !== 0 || (wasWaiting && (own & role.calms) === 0);
    const known = isWaiting ? seen.waiting : seen.calm;
    if (!breaks && known[place.index]) return false;
    known[place.index] = true;
    steps.push({ place, isWaiting, before, way });
    return breaks;
  };
  if (goOn(start, isWaitingAtStart)) return pathOf(steps.at(-1));
  for (const step of steps) {
    paths.work?.spend(1);
    const { place, isWaiting } = step;
    const { ways, mayEnd } = paths.exits(place);
    if (isWaiting && breaksAtEnd && mayEnd && ((roles.get(place.node) ?? 0) & role.mayEnd) === 0) return pathOf(step);
    for (const way of ways) if (goOn(way.to, isWaiting, step, way)) return pathOf(steps.at(-1));
  }
  return undefined;
}

/** Whether conditions allow a path. */
export function isAllowed({ edges }: BreakingPath, paths: Paths, isToEnd: boolean): boolean {
  let place = paths.start;
  for (const edge of edges) {
    if (place === undefined) return false;
    place = paths.exits(place).ways.find((way) => edgeOf(way) === edge)?.to;
  }
  return place !== undefined && (!isToEnd || paths.exits(place).mayEnd);
}

/** The path to a step of a search. */
export function pathOf(last: Step | undefined): { nodes: RunNode[]; edges: (RunEdge | undefined)[] } {
  const nodes: RunNode[] = [];
  const edges: (RunEdge | undefined)[] = [];
  for (let step = last; step; step = step.before) {
    nodes.push(step.place.node);
    if (step.way) edges.push(edgeOf(step.way));
  }
  return { nodes: nodes.reverse(), edges: edges.reverse() };
}
