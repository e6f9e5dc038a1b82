/**
 * Whether a flow keeps a policy: a search over the places of the flow and what the policy remembers of the path. It goes
 * breadth first, so the first path that breaks a policy is a shortest one.
 */
import type { Program, RunEdge, RunNode } from "../run/program";
import { edgesNamed } from "../test/takes";
import type { Span } from "../text";
import { Paths, type Place } from "./paths";
import type { Demand, Policy } from "./policy-file";
import { nodesMatching, type Selector } from "./selector";

export type Verdict =
  | { readonly verdict: "proved-by-shape" | "proved-given-conditions" }
  | { readonly verdict: "broken"; readonly path: BreakingPath };

export interface BreakingPath {
  readonly nodes: readonly RunNode[];
  readonly edges: readonly RunEdge[];
}

/** Judges any number of policies over one flow; what was learned of its paths is shared. */
export class Judge {
  readonly #shape: Paths;
  readonly #conditions: Paths;

  constructor(readonly program: Program) {
    this.#shape = new Paths(program, false);
    this.#conditions = new Paths(program, true);
  }

  judge(demand: Demand): Verdict {
    if (demand.kind === "at-most") {
      // Conditions only ever lengthen a way, so a proof never needs them.
      const path = tooLong(demand, this.#conditions);
      return path ? { verdict: "broken", path } : { verdict: "proved-by-shape" };
    }
    const watch = watcherOf(demand, this.program);
    if (!breaking(watch, this.#shape)) return { verdict: "proved-by-shape" };
    const path = breaking(watch, this.#conditions);
    return path ? { verdict: "broken", path } : { verdict: "proved-given-conditions" };
  }
}

/** The selectors of a policy, and the edges it names, that this flow has something for. */
export function matchedParts({ demand }: Policy, program: Program): readonly boolean[] {
  const matches = (selector: Selector) => nodesMatching(selector, program).size > 0;
  const parts = selectorsOf(demand).map(matches);
  if (demand.kind === "passes" && demand.by !== undefined) parts.push(edgesBy(demand, program).size > 0);
  return parts;
}

/** A part of a policy: which nodes, or which edge, and where it says so. */
export interface PolicyPart {
  readonly name: string;
  readonly span: Span;
  /** Absent for `by`. */
  readonly selector?: Selector;
}

/** The parts of a policy in the order of `matchedParts`. */
export function partsOfPolicy(policy: Policy): readonly PolicyPart[] {
  const { demand } = policy;
  const selectors = selectorsOf(demand);
  return partNames(policy).map((name, index) => {
    const selector = selectors[index];
    if (selector) return { name, span: selector.span, selector };
    return { name, span: (demand.kind === "passes" ? demand.bySpan : undefined) ?? policy.span };
  });
}

/** The nodes that a selector matches. */
export function selectedNodes(selector: Selector, program: Program): readonly RunNode[] {
  return [...nodesMatching(selector, program)];
}

/** The parts of a policy in words, in the order of `matchedParts`. */
export function partNames({ demand }: Policy): readonly string[] {
  switch (demand.kind) {
    case "passes":
      return ["every_path_to", "passes", ...(demand.by === undefined ? [] : ["by"])];
    case "never":
      return ["from", "to", ...(demand.without ? ["without"] : [])];
    case "always":
      return ["after", "always"];
    case "at-most":
      return ["from", "to"];
  }
}

function selectorsOf(demand: Demand): Selector[] {
  switch (demand.kind) {
    case "passes":
      return [demand.to, demand.passes];
    case "never":
      return [demand.from, demand.to, ...(demand.without ? [demand.without] : [])];
    case "always":
      return [demand.after, demand.always];
    case "at-most":
      return [demand.from, demand.to];
  }
}

/** The edges that `by` names. */
export function edgesBy(demand: Demand & { kind: "passes" }, program: Program): ReadonlySet<RunEdge> {
  const { by } = demand;
  if (by === undefined) return new Set();
  return new Set([...nodesMatching(demand.passes, program)].flatMap((node) => edgesNamed(node, by)));
}

/** What a policy remembers of a path: whether it waits for something to break it. */
interface Watcher {
  /** Before the entry. */
  readonly isWaitingAtStart: boolean;
  /** On entering a node: whether it waits from here on, or undefined where nothing behind can break it any more. */
  enter(node: RunNode, isWaiting: boolean): boolean | undefined;
  /** Whether entering a node breaks it, as it was before. */
  breaksAt(node: RunNode, isWaiting: boolean): boolean;
  /** Whether taking an edge keeps it for good. */
  keeps(edge: RunEdge): boolean;
  /** Whether a run that ends while it waits breaks it. */
  readonly breaksAtEnd: boolean;
}

function watcherOf(demand: Exclude<Demand, { kind: "at-most" }>, program: Program): Watcher {
  const nodes = (selector: Selector | undefined): ReadonlySet<RunNode> =>
    selector ? nodesMatching(selector, program) : new Set();
  switch (demand.kind) {
    case "passes": {
      const [to, passes] = [nodes(demand.to), nodes(demand.passes)];
      const edges = edgesBy(demand, program);
      const isKept = (node: RunNode) => demand.by === undefined && passes.has(node);
      return {
        isWaitingAtStart: true,
        enter: (node) => (isKept(node) ? undefined : true),
        breaksAt: (node) => to.has(node) && !isKept(node),
        keeps: (edge) => edges.has(edge),
        breaksAtEnd: false,
      };
    }
    case "never": {
      const [from, to, without] = [nodes(demand.from), nodes(demand.to), nodes(demand.without)];
      return {
        isWaitingAtStart: false,
        enter: (node, isWaiting) => from.has(node) || (isWaiting && !without.has(node)),
        breaksAt: (node, isWaiting) => isWaiting && to.has(node),
        keeps: () => false,
        breaksAtEnd: false,
      };
    }
    case "always": {
      const [after, always] = [nodes(demand.after), nodes(demand.always)];
      return {
        isWaitingAtStart: false,
        enter: (node, isWaiting) => !always.has(node) && (isWaiting || after.has(node)),
        breaksAt: () => false,
        keeps: () => false,
        breaksAtEnd: true,
      };
    }
  }
}

/** A place on the way, and how the search came there. */
interface Step {
  readonly place: Place;
  readonly isWaiting: boolean;
  readonly before: Step | undefined;
  readonly edge: RunEdge | undefined;
}

/** A shortest path that breaks a policy. */
function breaking(watch: Watcher, paths: Paths): BreakingPath | undefined {
  const { start } = paths;
  if (!start) return undefined;
  const seen = { waiting: new Set<Place>(), calm: new Set<Place>() };
  // Each with what the policy remembered before the node; what it remembers there follows.
  const queue: Step[] = [{ place: start, isWaiting: watch.isWaitingAtStart, before: undefined, edge: undefined }];
  for (const step of queue) {
    const { place } = step;
    if (watch.breaksAt(place.node, step.isWaiting)) return pathTo(step);
    const isWaiting = watch.enter(place.node, step.isWaiting);
    if (isWaiting === undefined) continue;
    const known = isWaiting ? seen.waiting : seen.calm;
    if (known.has(place)) continue;
    known.add(place);
    const { ways, mayEnd } = paths.exits(place);
    if (mayEnd && isWaiting && watch.breaksAtEnd) return pathTo(step);
    for (const { edge, to } of ways) if (!watch.keeps(edge)) queue.push({ place: to, isWaiting, before: step, edge });
  }
  return undefined;
}

/** For `at_most`: a shortest path over a place of `from` whose way is too long, along that way; or to it where it has none. */
function tooLong(demand: Demand & { kind: "at-most" }, paths: Paths): BreakingPath | undefined {
  const { program, start } = paths;
  if (!start) return { nodes: [], edges: [] };
  const [from, to] = [nodesMatching(demand.from, program), nodesMatching(demand.to, program)];
  const steps = everyStep(start, paths);
  const ways = shortestWays(steps, to, paths);
  // The entry is where a run starts; it counts again only for a selector that matches it.
  const asked = demand.from.isEntry ? steps.slice(0, 1) : steps.filter(({ place }) => from.has(place.node));
  let shortest: BreakingPath | undefined;
  for (const step of asked) {
    const way = ways.get(step.place);
    if (way && way.length <= demand.most) continue;
    const { nodes, edges } = pathTo(step);
    for (let at = way?.next; at; at = ways.get(at.to)?.next) {
      nodes.push(at.to.node);
      edges.push(at.edge);
    }
    if (!shortest || nodes.length < shortest.nodes.length) shortest = { nodes, edges };
  }
  return shortest;
}

/** Every place that can be reached, nearest first. */
function everyStep(start: Place, paths: Paths): Step[] {
  const seen = new Set<Place>([start]);
  const steps: Step[] = [{ place: start, isWaiting: false, before: undefined, edge: undefined }];
  for (const step of steps)
    for (const { edge, to } of paths.exits(step.place).ways) {
      if (seen.has(to)) continue;
      seen.add(to);
      steps.push({ place: to, isWaiting: false, before: step, edge });
    }
  return steps;
}

interface WayOn {
  readonly length: number;
  readonly next: { readonly edge: RunEdge; readonly to: Place } | undefined;
}

/** The shortest way from each place to one of some nodes, where there is one. */
function shortestWays(steps: readonly Step[], to: ReadonlySet<RunNode>, paths: Paths): ReadonlyMap<Place, WayOn> {
  const previous = new Map<Place, { readonly from: Place; readonly edge: RunEdge }[]>();
  for (const { place } of steps)
    for (const way of paths.exits(place).ways) {
      const before = { from: place, edge: way.edge };
      const known = previous.get(way.to);
      if (known) known.push(before);
      else previous.set(way.to, [before]);
    }
  const ways = new Map<Place, WayOn>();
  for (const { place } of steps) if (to.has(place.node)) ways.set(place, { length: 0, next: undefined });
  // A map goes on with what is added while it is gone through.
  for (const [place, { length }] of ways)
    for (const { from, edge } of previous.get(place) ?? [])
      if (!ways.has(from)) ways.set(from, { length: length + 1, next: { edge, to: place } });
  return ways;
}

function pathTo(last: Step): { nodes: RunNode[]; edges: RunEdge[] } {
  const nodes: RunNode[] = [];
  const edges: RunEdge[] = [];
  for (let step: Step | undefined = last; step; step = step.before) {
    nodes.push(step.place.node);
    if (step.edge) edges.push(step.edge);
  }
  return { nodes: nodes.reverse(), edges: edges.reverse() };
}
