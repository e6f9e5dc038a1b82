/**
 * The search for a path that breaks a policy: over the places of the flow and what the policy remembers of the path. It goes
 * breadth first, so the first path that breaks a policy is a shortest one. Nodes and places are numbers here: a large flow is
 * gone through for each policy after an edit of an edge.
 */
import type { RunEdge, RunNode } from "../run/program";
import { edgesNamed } from "../test/takes";
import type { Paths, Place } from "./paths";
import type { Demand } from "./policy-file";
import { isMatch, type Selector } from "./selector";

export interface BreakingPath {
  readonly nodes: readonly RunNode[];
  readonly edges: readonly RunEdge[];
}

/** Which nodes the selectors of policies match, by number; kept, because names of thousands take their time. */
export class Matches {
  readonly #known = new Map<string, { readonly selector: Selector; readonly nodes: Uint8Array }>();

  constructor(private readonly paths: Paths) {}

  of(selector: Selector | undefined): Uint8Array {
    const { nodes, program } = this.paths;
    const found = new Uint8Array(nodes.length);
    if (!selector) return found;
    const only = selector.isEntry ? program.entry?.id : selector.keys.get("node");
    if (selector.isEntry || only !== undefined) {
      const number = this.paths.numberOf(only ?? "");
      if (number !== undefined && (selector.isEntry || isMatch(selector, nodes[number] as RunNode))) found[number] = 1;
      return found;
    }
    const key = JSON.stringify([...selector.keys].sort());
    const known = this.#known.get(key);
    if (known) return known.nodes;
    nodes.forEach((node, number) => {
      if (isMatch(selector, node)) found[number] = 1;
    });
    this.#known.set(key, { selector, nodes: found });
    return found;
  }

  /** The edges that `by` names at nodes. */
  edges(nodes: Uint8Array, by: string): ReadonlySet<RunEdge> {
    const found = new Set<RunEdge>();
    for (let number = nodes.indexOf(1); number >= 0; number = nodes.indexOf(1, number + 1))
      for (const edge of edgesNamed(this.paths.nodes[number] as RunNode, by)) found.add(edge);
    return found;
  }

  replace(edited: readonly RunNode[]): void {
    for (const { selector, nodes } of this.#known.values())
      for (const node of edited) nodes[this.paths.numberOf(node.id) as number] = Number(isMatch(selector, node));
  }
}

/** What nodes are to a policy. */
export const role = {
  /** Entering it while the policy waits breaks it. */
  breaks: 1,
  /** The policy waits from here on. */
  arms: 2,
  /** It waits no longer. */
  calms: 4,
  /** Nothing behind can break it any more. */
  keeps: 8,
};

/** What a policy looks for on a path. All it remembers is whether it waits for something to break it. */
export interface Watch {
  /** By number of the node. */
  readonly roles: Uint8Array;
  readonly isWaitingAtStart: boolean;
  /** Edges that keep it for good, and the nodes they leave. */
  readonly keeping?: { readonly nodes: Uint8Array; readonly edges: ReadonlySet<RunEdge> };
  /** Whether a run that ends while it waits breaks it. */
  readonly breaksAtEnd: boolean;
}

export function watchFor(demand: Exclude<Demand, { kind: "at-most" }>, matches: Matches): Watch {
  switch (demand.kind) {
    case "passes": {
      const [to, passes] = [matches.of(demand.to), matches.of(demand.passes)];
      const isKept = (node: number) => demand.by === undefined && passes[node] === 1;
      return {
        roles: to.map((isTarget, node) => (isKept(node) ? role.keeps : isTarget * role.breaks)),
        isWaitingAtStart: true,
        breaksAtEnd: false,
        ...(demand.by === undefined ? {} : { keeping: { nodes: passes, edges: matches.edges(passes, demand.by) } }),
      };
    }
    case "never": {
      const [from, to, without] = [matches.of(demand.from), matches.of(demand.to), matches.of(demand.without)];
      const waits = (node: number) => (from[node] === 1 ? role.arms : (without[node] as number) * role.calms);
      return {
        roles: to.map((isTarget, node) => isTarget * role.breaks + waits(node)),
        isWaitingAtStart: false,
        breaksAtEnd: false,
      };
    }
    case "always": {
      const [after, always] = [matches.of(demand.after), matches.of(demand.always)];
      return {
        roles: after.map((isFirst, node) => (always[node] === 1 ? role.calms : isFirst * role.arms)),
        isWaitingAtStart: false,
        breaksAtEnd: true,
      };
    }
  }
}

/** What a search came by, in order: places, the step before each, and the way between. */
export interface Trail {
  readonly places: Place[];
  readonly before: number[];
  readonly by: number[];
}

/** A shortest path that breaks a policy. */
export function breaking(
  { roles, isWaitingAtStart, keeping, breaksAtEnd }: Watch,
  paths: Paths,
): BreakingPath | undefined {
  const { start } = paths;
  if (start === undefined) return undefined;
  const trail: Trail = { places: [], before: [], by: [] };
  const states: boolean[] = [];
  // By place, and whether the policy waits there.
  let seen = new Uint8Array(2 * paths.size);
  /** Goes on to a place, with what the policy remembered before it; true where that breaks the policy. */
  const goOn = (place: Place, wasWaiting: boolean, before: number, by: number): boolean => {
    const own = roles[paths.at[place] as number] as number;
    if (own & role.keeps) return false;
    const breaks = wasWaiting && (own & role.breaks) !== 0;
    const isWaiting = breaks || (own & role.arms) !== 0 || (wasWaiting && !(own & role.calms));
    const state = 2 * place + Number(isWaiting);
    if (state >= seen.length) seen = grown(seen, 2 * paths.size);
    if (!breaks && seen[state] === 1) return false;
    seen[state] = 1;
    trail.places.push(place);
    trail.before.push(before);
    trail.by.push(by);
    states.push(isWaiting);
    return breaks;
  };
  if (goOn(start, isWaitingAtStart, -1, -1)) return pathOf(trail, paths);
  for (let step = 0; step < trail.places.length; step++) {
    const place = trail.places[step] as Place;
    const isWaiting = states[step] as boolean;
    const first = paths.firstWay(place);
    const end = first + paths.wayCount(place);
    if (isWaiting && breaksAtEnd && paths.mayEnd(place)) return pathOf(trail, paths, step);
    const mayKeep = keeping?.nodes[paths.at[place] as number] === 1;
    for (let way = first; way < end; way++) {
      if (mayKeep && keeping.edges.has(paths.edge(place, way))) continue;
      if (goOn(paths.to[way] as Place, isWaiting, step, way)) return pathOf(trail, paths);
    }
  }
  return undefined;
}

function grown(list: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * length);
  longer.set(list);
  return longer;
}

/** Whether conditions allow a path. */
export function isAllowed({ edges }: BreakingPath, paths: Paths, isToEnd: boolean): boolean {
  let place = paths.start;
  for (const edge of edges) {
    if (place === undefined) return false;
    place = paths.ways(place).find((way) => way.edge === edge)?.to;
  }
  if (place === undefined) return false;
  paths.firstWay(place);
  return !isToEnd || paths.mayEnd(place);
}

/** The path to a step of a trail; to its last one unless another is named. */
export function pathOf(
  { places, before, by }: Trail,
  paths: Paths,
  last = places.length - 1,
): { nodes: RunNode[]; edges: RunEdge[] } {
  const nodes: RunNode[] = [];
  const edges: RunEdge[] = [];
  for (let step = last; step >= 0; step = before[step] as number) {
    nodes.push(paths.node(places[step] as Place));
    const previous = before[step] as number;
    if (previous >= 0) edges.push(paths.edge(places[previous] as Place, by[step] as number));
  }
  return { nodes: nodes.reverse(), edges: edges.reverse() };
}
