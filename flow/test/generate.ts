/**
 * A small set of tests that takes every edge that a run can take on its way to an end. The flow is searched with the
 * machine itself: a state is a node with the values that still matter, and every answer worth giving leads on. The
 * shortest way to each edge and on to an end makes a test; of those, as few as cover all are kept.
 */
import { type Answer, next, type State, start } from "../run/machine";
import type { Program, RunEdge, RunNode } from "../run/program";
import { candidatesFor } from "./candidates";
import { edgesInReach, reachableFrom } from "./coverage";
import { costOf, type Place, Search, type Way } from "./search";

export interface GeneratedTest {
  /** The edge that tells it apart from the other tests. */
  readonly edge: RunEdge | undefined;
  readonly given: readonly (readonly [string, unknown])[];
  readonly answers: readonly { readonly at: State; readonly answer: Answer }[];
  readonly last: State;
}

export interface Generated {
  readonly tests: readonly GeneratedTest[];
  /** The edges no test can take, each with its reason. */
  readonly unreachable: readonly { readonly id: string; readonly reason: string }[];
}

export function generateTests(program: Program): Generated {
  const candidates = candidatesFor(program);
  const edges = [...program.nodes.values()].flatMap((node) => node.edges);
  let search = searchFor(edges, new Search(program, candidates, false));
  if (search.isCut) {
    const thinned = searchFor(edges, new Search(program, candidates, true));
    if (thinned.reached > search.reached) search = thinned;
  }
  const wanted = edges.filter((edge) => search.reaches(edge));
  return {
    tests: fewest(wanted, search, edges.length),
    unreachable: edges
      .filter((edge) => !search.reaches(edge))
      .map((edge) => ({ id: edge.id, reason: reasonFor(edge, program, search) })),
  };
}

/** A shortest run to an end; with a node, one that comes by there. Undefined where no run that ends does. */
export function testThrough(program: Program, node?: string): GeneratedTest | undefined {
  const edges = [...program.nodes.values()].flatMap((each) => each.edges);
  const wanted = node === undefined || node === program.entry?.id ? undefined : node;
  let search = searchFor(edges, new Search(program, candidatesFor(program), false));
  const found = () => edges.filter((edge) => (wanted === undefined || edge.to === wanted) && search.reaches(edge));
  if (search.isCut && found().length === 0)
    search = searchFor(edges, new Search(program, candidatesFor(program), true));
  const [first, ...others] = found().map((edge) => search.best(edge));
  if (!first) return wanted === undefined ? fewest([], search, edges.length)[0] : undefined;
  const best = others.reduce((least, way) => (costOf(way) < costOf(least) ? way : least), first);
  return runAlong(waysOf(best), best.edge ? [best.edge] : [], program);
}

function searchFor(edges: readonly RunEdge[], search: Search): Search {
  search.from([]);
  if (edges.some((edge) => !search.reaches(edge))) search.fromGiven();
  return search;
}

/** A flow's tests should be few: at most one for so many edges, where that can be had by going on to further edges. */
const EDGES_PER_TEST = 3;

/** How often a test may go on to another edge that no test takes yet, before it goes to an end. */
const MAX_DETOURS = 3;

function fewest(wanted: readonly RunEdge[], search: Search, edges: number): GeneratedTest[] {
  if (edges === 0) {
    const only = start(search.program);
    return only?.ended ? [{ edge: undefined, given: [], answers: [], last: only }] : [];
  }
  let best: GeneratedTest[] | undefined;
  for (let detours = 0; detours <= MAX_DETOURS; detours++) {
    const tests = covering(wanted, search, detours);
    if (!best || tests.length < best.length) best = tests;
    if (best.length * EDGES_PER_TEST <= edges) break;
  }
  return best ?? [];
}

/** Greedy: the shortest way that takes most edges not taken yet, then on to the nearest such edges, then to an end. */
function covering(wanted: readonly RunEdge[], search: Search, detours: number): GeneratedTest[] {
  const direct = wanted.map((edge) => {
    const way = search.best(edge);
    const taken = new Set(waysOf(way).flatMap((each) => each.edge ?? []));
    return { way, taken, length: way.from.length + (way.to.toEnd?.length ?? 0) };
  });
  const left = new Set<RunEdge>(wanted);
  const tests: GeneratedTest[] = [];
  while (left.size > 0) {
    let best: (typeof direct)[number] | undefined;
    let most = 0;
    for (const each of direct) {
      let count = 0;
      for (const edge of each.taken) if (left.has(edge)) count++;
      if (count > most || (best && count === most && each.length < best.length)) [best, most] = [each, count];
    }
    if (!best) break;
    const ways = waysOf(best.way, false);
    const news = ways.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : []));
    for (let detour = 0; detour < detours; detour++) {
      const further = nearest((ways.at(-1) as Way).to, left);
      if (!further) break;
      ways.push(...further);
      news.push(...further.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : [])));
    }
    const toEnd = onwards((ways.at(-1) as Way).to);
    news.push(...toEnd.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : [])));
    tests.push(runAlong([...ways, ...toEnd], news, search.program));
  }
  return tests;
}

/** The ways from the entry to a way, over it, and on to the nearest end. */
function waysOf(way: Way, isWhole = true): Way[] {
  const ways = [way];
  for (let at = way.from; at.from; at = at.from.place)
    ways.unshift(at.from.place.ways.find((each) => each.to === at) as Way);
  return isWhole ? [...ways, ...onwards(way.to)] : ways;
}

function onwards(place: Place): Way[] {
  const ways: Way[] = [];
  for (let way = place.toEnd?.way; way; way = way.to.toEnd?.way) ways.push(way);
  return ways;
}

/** The shortest ways from a place over an edge that is wanted, from which an end can be reached. */
function nearest(place: Place, wanted: ReadonlySet<RunEdge>): Way[] | undefined {
  const before = new Map<Place, Way>();
  const queue = [place];
  for (const at of queue)
    for (const way of at.ways) {
      if (way.edge && wanted.has(way.edge) && way.to.toEnd) {
        const ways = [way];
        for (let back = before.get(at); back; back = before.get(back.from)) ways.unshift(back);
        return ways;
      }
      if (way.to === place || before.has(way.to)) continue;
      before.set(way.to, way);
      queue.push(way.to);
    }
  return undefined;
}

function runAlong(ways: readonly Way[], news: readonly RunEdge[], program: Program): GeneratedTest {
  const given = ways[0]?.from.given ?? [];
  const answers: { at: State; answer: Answer }[] = [];
  let state = start(program, given) as State;
  for (const { answer } of ways) {
    if (answer) answers.push({ at: state, answer });
    state = next(state, answer);
  }
  // What tells the test apart: the last edge only it takes that wasn't the only way on.
  const telling = news.filter((edge) => (program.nodes.get(edge.from)?.edges.length ?? 0) > 1);
  return { edge: telling.at(-1) ?? news.at(-1), given, answers, last: state };
}

function reasonFor(edge: RunEdge, program: Program, search: Search): string {
  const node = program.nodes.get(edge.from) as RunNode;
  if (!program.entry) return "the flow has no entry node";
  if (!reachableFrom(program).nodes.has(edge.from)) return `no path from the entry leads to "${edge.from}"`;
  if (!edgesInReach(node).includes(edge))
    return node.edges.some((other) => other.condition === undefined && !other.isOnEvent) &&
      node.type !== "end" &&
      node.type !== "transfer"
      ? "it stands behind the default edge"
      : `"${edge.from}" ends the conversation`;
  if (!program.nodes.has(edge.to)) return `it leads to "${edge.to}", which doesn't exist`;
  if (search.isCut && !search.takes(edge))
    return "no run was found that takes it; the flow has more combinations of values than are tried";
  if (!search.enters(node)) return `no run reaches "${edge.from}"`;
  if (search.takes(edge)) return "every run that takes it gets stuck or is endless";
  if (edge.isOnEvent && node.type !== "tool" && node.type !== "component")
    return `"${edge.from}" never gets the event "${edge.on ?? ""}"`;
  if (edge.condition === undefined) return "the edges before it are always taken";
  return "its condition is never true here, or the edges before it are taken first";
}
