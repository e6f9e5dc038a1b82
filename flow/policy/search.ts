/**
 * The search for a path that breaks a policy: over the places of the flow and what the policy remembers of the path. It goes
 * breadth first, so the first path that breaks a policy is a shortest one. Nodes and places are numbers here: a large flow is
 * gone through for each policy after an edit of an edge.
 */
import { type Passage, passagesOf, type RunEdge, type RunNode } from "../run/program";
import { edgesNamed } from "../test/takes";
import { longer, Numbers, Trail } from "./numbers";
import type { Paths, Place } from "./paths";
import type { Demand } from "./policy-file";
import { isMatch, matcherOf, type Selector } from "./selector";

export interface BreakingPath {
  readonly nodes: readonly RunNode[];
  /** From each node to the next; undefined where that is into a component. */
  readonly edges: readonly (RunEdge | undefined)[];
}

/** Which nodes the selectors of policies match, by number; kept, because names of thousands take their time. */
export class Matches {
  readonly #known = new Map<string, { readonly selector: Selector; readonly nodes: Uint8Array }>();

  constructor(private readonly paths: Paths) {}

  of(selector: Selector | undefined): Uint8Array {
    const { nodes, program } = this.paths;
    const found = new Uint8Array(nodes.length);
    if (!selector) return found;
    if (selector.isEntry) {
      const number = this.paths.numberOf(program.entry?.id ?? "");
      if (number !== undefined) found[number] = 1;
      return found;
    }
    const key = JSON.stringify([...selector.keys].sort());
    const known = this.#known.get(key);
    if (known) return known.nodes;
    const only = this.paths.numberOf(selector.keys.get("node") ?? "");
    const matches = matcherOf(selector);
    if (selector.keys.has("node")) {
      if (only !== undefined) found[only] = Number(matches(nodes[only] as RunNode));
    } else
      for (let number = 0; number < nodes.length; number++) found[number] = Number(matches(nodes[number] as RunNode));
    this.#known.set(key, { selector, nodes: found });
    return found;
  }

  /** The edges that `by` names at nodes, and where they are left by: of a component that is at the ends inside. */
  leaving(nodes: Uint8Array, by: string): NonNullable<Watch["keeping"]> {
    const edges = new Set<Passage>();
    for (let number = nodes.indexOf(1); number >= 0; number = nodes.indexOf(1, number + 1))
      for (const edge of edgesNamed(this.paths.nodes[number] as RunNode, by)) edges.add(edge);
    if (!this.paths.program.domains) return { nodes, edges };
    const isLeft = (node: RunNode, number: number) =>
      nodes[number] === 1 || passagesOf(node).some((each) => edges.has(each));
    return { nodes: Uint8Array.from(this.paths.nodes, (node, number) => Number(isLeft(node, number))), edges };
  }

  /** Takes over edited nodes; true where selectors match others than before. */
  replace(edited: readonly RunNode[]): boolean {
    let isOther = false;
    for (const { selector, nodes } of this.#known.values())
      for (const node of edited) {
        const number = this.paths.numberOf(node.id) as number;
        const found = Number(isMatch(selector, node));
        if (nodes[number] !== found) isOther = true;
        nodes[number] = found;
      }
    return isOther;
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
  readonly keeping?: { readonly nodes: Uint8Array; readonly edges: ReadonlySet<Passage | undefined> };
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
        ...(demand.by === undefined ? {} : { keeping: matches.leaving(passes, demand.by) }),
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

/** Whether what was found still holds now that nodes, by number, were edited: only these are looked at. */
export type Stands = (edited: readonly number[]) => boolean;

/** A shortest path that breaks a policy, if there is one. */
export interface Searched {
  readonly path: BreakingPath | undefined;
  readonly stands: Stands;
}

export function breaking(watch: Watch, paths: Paths): Searched {
  const { start } = paths;
  if (start === undefined) return { path: undefined, stands: () => true };
  const { roles, keeping, breaksAtEnd } = watch;
  const trail = new Trail();
  // By step: whether the policy waits there.
  const waiting = new Numbers();
  // By place and whether the policy waits there: one more than the edges it takes to get there.
  let levels = new Int32Array(2 * paths.size);
  const found = (last?: number): Searched => {
    const path = pathOf(trail, paths, last);
    return { path, stands: standing(watch, paths, levels, path) };
  };
  /** Goes on to a place, with what the policy remembered before it; true where that breaks the policy. */
  const goOn = (place: Place, own: number, wasWaiting: number, before: number, by: number, level: number): boolean => {
    const breaks = wasWaiting === 1 && (own & role.breaks) !== 0;
    const isWaiting = waitsAfter(own, wasWaiting);
    const state = 2 * place + isWaiting;
    if (state >= levels.length) levels = longer(levels, 4 * paths.size);
    if (!breaks) {
      if (levels[state] !== 0) return false;
      levels[state] = level;
    }
    trail.push(place, before, by);
    waiting.push(isWaiting);
    return breaks;
  };
  const own = roles[paths.at[start] as number] as number;
  if ((own & role.keeps) === 0 && goOn(start, own, Number(watch.isWaitingAtStart), -1, -1, 1)) return found();
  for (let step = 0; step < trail.length; step++) {
    const place = trail.places.values[step] as Place;
    const isWaiting = waiting.values[step] as number;
    const first = paths.firstWay(place);
    const end = first + paths.wayCount(place);
    if (isWaiting === 1 && breaksAtEnd && paths.mayEnd(place)) return found(step);
    const { at, to } = paths;
    const level = (levels[2 * place + isWaiting] as number) + 1;
    const mayKeep = keeping?.nodes[at[place] as number] === 1;
    for (let way = first; way < end; way++) {
      const next = to[way] as Place;
      const own = roles[at[next] as number] as number;
      if (own & role.keeps || (mayKeep && keeping.edges.has(paths.edge(place, way)))) continue;
      if (goOn(next, own, isWaiting, step, way, level)) return found();
    }
  }
  return { path: undefined, stands: standing(watch, paths, levels, undefined) };
}

/** 1 where the policy waits behind a node, by whether it did before. */
function waitsAfter(own: number, wasWaiting: number): number {
  if (own & role.arms) return 1;
  return own & role.calms ? 0 : wasWaiting;
}

/**
 * The search went outwards level by level, so what it found holds while no edge leads farther outwards than one level, and none
 * breaks the policy sooner: of an edited node that can be said without another search.
 */
function standing(watch: Watch, paths: Paths, levels: Int32Array, path: BreakingPath | undefined): Stands {
  const { age } = paths;
  const { roles, keeping, breaksAtEnd } = watch;
  const length = path ? path.edges.length : Number.POSITIVE_INFINITY;
  const onPath = new Set(path?.nodes.map(({ id }) => paths.numberOf(id)));
  const leadsTooFar = (place: Place, isWaiting: number): boolean => {
    // Places that weren't reached before a path was found are as far as its end, or farther.
    const level = (levels[2 * place + isWaiting] ?? 0) - 1;
    if (level < 0) return false;
    const first = paths.firstWay(place);
    if (isWaiting === 1 && breaksAtEnd && paths.mayEnd(place) && level < length) return true;
    for (let way = first; way < first + paths.wayCount(place); way++) {
      const to = paths.to[way] as Place;
      const own = roles[paths.at[to] as number] as number;
      if (own & role.keeps) continue;
      const next = levels[2 * to + waitsAfter(own, isWaiting)] ?? 0;
      const isNear = next !== 0 && !(isWaiting === 1 && own & role.breaks);
      // For a proof it is enough that the place was reached.
      if (isNear ? path && next - 1 > level + 1 : length > level + 1) return true;
    }
    return false;
  };
  return (edited) =>
    age === paths.age &&
    edited.every(
      (number) =>
        !onPath.has(number) &&
        keeping?.nodes[number] !== 1 &&
        !paths.placesOf(number).some((place) => leadsTooFar(place, 0) || leadsTooFar(place, 1)),
    );
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
  trail: Trail,
  paths: Paths,
  last = trail.length - 1,
): { nodes: RunNode[]; edges: (RunEdge | undefined)[] } {
  const nodes: RunNode[] = [];
  const edges: (RunEdge | undefined)[] = [];
  const [places, before, by] = [trail.places.values, trail.before.values, trail.by.values];
  for (let step = last; step >= 0; step = before[step] as number) {
    nodes.push(paths.node(places[step] as Place));
    const previous = before[step] as number;
    if (previous >= 0) edges.push(paths.edge(places[previous] as Place, by[step] as number));
  }
  return { nodes: nodes.reverse(), edges: edges.reverse() };
}
