/**
 * Generates a small set of tests that takes every edge on a path to an end, and that detects mistakes in conditions.
 * The flow is searched with the machine itself: a state is a node with the values that still matter, and every useful
 * answer is tried. A test is a shortest path to an edge and on to an end, unless other tests cover it.
 */
import { type Answer, type FlowOf, next, type State, start, statesOf } from "../../run/machine";
import type { Program, RunEdge, RunNode } from "../../run/program";
import { type Spending, Work, WorkSpent } from "../../run/work";
import type { KnownTools } from "../../tools";
import { unreadIn } from "../../unread";
import { edgesInReach, reachableFrom } from "../coverage";
import { withOutputs } from "./answers";
import { costOf, type Goal, type Place, Search, type SearchOptions, type Way } from "./search";

export interface GeneratedTest {
  /** The edge that distinguishes it from the other tests. */
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

const TOO_LARGE = "not checked: too large";

const nowhere: FlowOf = () => undefined;

export function generateTests(program: Program, flowOf: FlowOf = nowhere): Generated {
  const edges = [...program.nodes.values()].flatMap((node) => node.edges);
  const count = (search: Search) => edges.filter((edge) => search.reaches(edge)).length;
  const together = new Work(SEARCH_WORK);
  const found = (isThinned: boolean, variants: boolean) =>
    searchFor(edges, searchIn(program, flowOf, { isThinned, variants }, together));
  let search = found(false, true);
  // If there is too much to search, fewer values are tried at a node, and then no mistakes in conditions.
  let isTooMuch = search.isCut;
  for (const variants of [true, false]) {
    if (!isTooMuch || count(search) === edges.length) break;
    const thinned = found(true, variants);
    if (count(thinned) > count(search)) search = thinned;
    isTooMuch = thinned.isSpent;
  }
  const { tests, left, unmade } = fewest(search, edges.length);
  const missing = edges.filter((edge) => !search.reaches(edge) || left.has(edge) || unmade.has(edge));
  const reachable = missing.length > 0 ? reachableFrom(program).nodes : new Set<string>();
  const why = (edge: RunEdge) => {
    if (unmade.has(edge)) return "a test would have to both run a component and replace it with an answer";
    return left.has(edge) ? TOO_LARGE : reasonFor(edge, program, search, reachable);
  };
  return { tests, unreachable: missing.map((edge) => ({ id: edge.id, reason: why(edge) })) };
}

/** The same tests, in which tools answer with all the outputs they map. Runs stay the same, since nothing reads these. */
export function withToolOutputs(tests: readonly GeneratedTest[], tools: KnownTools | undefined): GeneratedTest[] {
  const shaped = (at: State, answer: Answer): Answer =>
    "return" in answer ? { return: withOutputs(answer.return, at.node, tools) } : answer;
  return tests.map((test) => ({
    ...test,
    answers: test.answers.map(({ at, answer }) => ({ at, answer: shaped(at, answer) })),
  }));
}

/** A shortest run to an end, through a node if one is given. Undefined if there is no such run. */
export function testThrough(program: Program, node?: string, flowOf: FlowOf = nowhere): GeneratedTest | undefined {
  const edges = [...program.nodes.values()].flatMap((each) => each.edges);
  const wanted = node === undefined || node === program.entry?.id ? undefined : node;
  const together = new Work(SEARCH_WORK);
  let search = searchFor(edges, searchIn(program, flowOf, { isThinned: false }, together));
  const found = () => edges.filter((edge) => (wanted === undefined || edge.to === wanted) && search.reaches(edge));
  if (search.isCut && found().length === 0)
    search = searchFor(edges, searchIn(program, flowOf, { isThinned: true }, together));
  const [first, ...others] = found().map((edge) => search.best(edge));
  if (!first) return wanted === undefined ? fewest(search, edges.length).tests[0] : undefined;
  const best = others.reduce((least, way) => (costOf(way) < costOf(least) ? way : least), first);
  return runAlong(waysOf(best), best.edge ? [best.edge] : [], search, new Work(RUN_WORK));
}

/** Limits the work of all searches for one flow. Each one leaves half of what is left to the next. */
const SEARCH_WORK = 4_000_000;

/** Limits the runs of the tests. */
const RUN_WORK = 2_000_000;

function searchIn(
  program: Program,
  flowOf: FlowOf,
  options: Pick<SearchOptions, "isThinned" | "variants">,
  together: Work,
): Search {
  return new Search(program, { ...options, flowOf: readable(flowOf), work: new Work(SEARCH_WORK / 2, together) });
}

/** A flow with syntax errors isn't run, not even as a component. */
function readable(flowOf: FlowOf): FlowOf {
  return (id) => {
    const flow = flowOf(id);
    return flow && !unreadIn(flow.document) ? flow : undefined;
  };
}

function searchFor(edges: readonly RunEdge[], search: Search): Search {
  search.from([]);
  const { program, worth } = search;
  const set = new Set([...program.nodes.values()].flatMap((node) => node.sets));
  const { asked } = worth.in(program);
  // A variable that no node sets can only be given.
  const outside = asked.filter((variable) => !set.has(variable));
  if (edges.some((edge) => !search.reaches(edge)))
    search.fromGiven([...outside, ...asked.filter((each) => set.has(each))]);
  else if (search.options.variants && outside.length > 0) search.fromGiven(outside);
  return search;
}

/** Generated tests should be few: at most one per this many edges, if tests can be extended to further edges. */
const EDGES_PER_TEST = 3;

/** How often a test may be extended to an uncovered goal before it goes to an end. */
const MAX_DETOURS = 3;

/** How many places around one are searched for it. */
const MAX_LOOKED_AT = 200;

/** A test that isn't extended further has at most this many steps more than its last extension. */
const MAX_LENGTH = 5_000;

/** The work for short tests: in a long flow, many tests of which each takes all of it would be too much. */
const SHORT_WORK = 100_000;
const SHORT_WORK_PER_EDGE = 100;

interface Wanted {
  readonly goal: Goal;
  readonly way: Way;
}

interface Covering {
  readonly tests: readonly GeneratedTest[];
  /** Goals without a test because they take too much work. */
  readonly left: ReadonlySet<Goal>;
  /** Goals that no test can have. */
  readonly unmade: ReadonlySet<Goal>;
}

function fewest(search: Search, edges: number): Covering {
  if (edges === 0) {
    const only = start(search.program);
    const tests = only?.ended ? [{ edge: undefined, given: [], answers: [], last: only }] : [];
    return { tests, left: new Set(), unmade: new Set() };
  }
  const together = new Work(RUN_WORK);
  const short = () => new Work(Math.max(SHORT_WORK, SHORT_WORK_PER_EDGE * edges), together);
  // The farthest first: their tests cover most of the nearer ones.
  const wanted = [...search.goals].map((goal) => ({ goal, way: search.best(goal) }));
  wanted.sort((a, b) => b.way.from.length - a.way.from.length);
  let best = covering(wanted, search, 0, short());
  // The nearest first: a long test takes many goals on its way to an end.
  if (best.left.size > 0) return covering(wanted.reverse(), search, MAX_LENGTH, together);
  for (let detours = 1; detours <= MAX_DETOURS; detours++) {
    if (best.tests.length * EDGES_PER_TEST <= edges) break;
    const other = covering(wanted, search, detours, short());
    if (other.left.size === 0 && other.tests.length < best.tests.length) best = other;
  }
  return best;
}

function covering(wanted: readonly Wanted[], search: Search, detours: number, work: Spending): Covering {
  const left = new Set<Goal>(wanted.map(({ goal }) => goal));
  const unmade = new Set<Goal>();
  const tests: GeneratedTest[] = [];
  for (const { goal, way } of wanted) {
    if (!left.has(goal)) continue;
    try {
      const test = testFor(way, left, search, detours, work);
      if (test) tests.push(test);
      else unmade.add(goal);
      left.delete(goal);
    } catch (error) {
      if (!(error instanceof WorkSpent)) throw error;
      return { tests, left, unmade };
    }
  }
  return { tests, left, unmade };
}

/** A test along a path, extended to other goals; removes what it covers from the remaining goals. */
function testFor(
  way: Way,
  left: Set<Goal>,
  search: Search,
  detours: number,
  work: Spending,
): GeneratedTest | undefined {
  const ways = waysOf(way, false);
  const news = ways.flatMap((each) => goalsLeft(each, left, work));
  const further = [...ways];
  const covered = new Set(news);
  const isWanted = (goal: Goal) => left.has(goal) && !covered.has(goal);
  for (let detour = 0; detour < detours && further.length < MAX_LENGTH; detour++) {
    const more = covered.size < left.size ? nearest((further.at(-1) as Way).to, isWanted, work) : undefined;
    if (!more) break;
    for (const one of more) {
      further.push(one);
      for (const goal of goalsLeft(one, left, work)) covered.add(goal);
    }
  }
  for (const each of [further, ways]) {
    const whole = [...each, ...onwards((each.at(-1) as Way).to)];
    const test = runAlong(whole, news, search, work);
    if (!test) continue;
    for (const goal of whole.flatMap((one) => goalsLeft(one, left, work))) left.delete(goal);
    return test;
  }
  return undefined;
}

function goalsLeft({ goals }: Way, left: ReadonlySet<Goal>, work: Spending): Goal[] {
  work.spend(1 + goals.length);
  return goals.filter((goal) => left.has(goal));
}

/** The steps from the entry to a step, through it, and on to the nearest end. */
function waysOf(way: Way, isWhole = true): Way[] {
  const ways: Way[] = [];
  for (let each: Way | undefined = way; each; each = each.from.by) ways.push(each);
  ways.reverse();
  return isWhole ? [...ways, ...onwards(way.to)] : ways;
}

function onwards(place: Place): Way[] {
  const ways: Way[] = [];
  for (let way = place.toEnd?.way; way; way = way.to.toEnd?.way) ways.push(way);
  return ways;
}

/** The shortest path from a place through a step with a wanted goal, from which an end can be reached. */
function nearest(place: Place, isWanted: (goal: Goal) => boolean, work: Spending): Way[] | undefined {
  const before = new Map<Place, Way>();
  const queue = [place];
  for (const at of queue) {
    if (before.size > MAX_LOOKED_AT) return undefined;
    work.spend(at.ways.length);
    for (const way of at.ways) {
      if (way.to.toEnd && way.goals.some(isWanted)) {
        const ways = [way];
        for (let back = before.get(at); back; back = before.get(back.from)) ways.unshift(back);
        return ways;
      }
      if (way.to === place || before.has(way.to)) continue;
      before.set(way.to, way);
      queue.push(way.to);
    }
  }
  return undefined;
}

/** Undefined if a component would have to be run in one place and stubbed in another: a test does one or the other. */
function runAlong(
  ways: readonly Way[],
  news: readonly Goal[],
  { program, options }: Search,
  work: Spending,
): GeneratedTest | undefined {
  const given = ways[0]?.from.given ?? [];
  const answers: { at: State; answer: Answer }[] = [];
  let state = start(program, given, options.flowOf, work) as State;
  const run = new Map<string, boolean>();
  for (const { answer } of ways) {
    if (answer) answers.push({ at: state, answer });
    if (answer && state.question?.kind === "call") {
      const isRun = "enter" in answer;
      if ((run.get(state.at) ?? isRun) !== isRun) return undefined;
      run.set(state.at, isRun);
    }
    state = next(state, answer);
  }
  // What distinguishes the test: the last edge that only it takes and that had alternatives.
  const edges = news.filter((goal): goal is RunEdge => "to" in goal);
  const telling = edges.filter((edge) => (program.nodes.get(edge.from)?.edges.length ?? 0) > 1);
  const taken = statesOf(state).findLast(
    ({ taken: edge }) => edge && program.nodes.get(edge.from)?.edges.includes(edge),
  );
  return { edge: telling.at(-1) ?? edges.at(-1) ?? taken?.taken, given, answers, last: state };
}

function reasonFor(edge: RunEdge, program: Program, search: Search, reachable: ReadonlySet<string>): string {
  const node = program.nodes.get(edge.from) as RunNode;
  if (!program.entry) return "the flow has no entry node";
  if (!reachable.has(edge.from)) return `no path from the entry leads to "${edge.from}"`;
  if (!edgesInReach(node).includes(edge))
    return node.edges.some((other) => other.condition === undefined && !other.isOnEvent) &&
      node.type !== "end" &&
      node.type !== "transfer"
      ? "the default edge comes before it"
      : `"${edge.from}" ends the conversation`;
  if (!program.nodes.has(edge.to)) return `it leads to "${edge.to}", which doesn't exist`;
  if (search.isSpent) return TOO_LARGE;
  if (search.isCut) return "no run was found that takes it; the flow has more combinations of values than are tried";
  if (!search.enters(node)) return `no run reaches "${edge.from}"`;
  if (search.takes(edge)) return "every run that takes it gets stuck or is endless";
  if (edge.isOnEvent && node.type !== "tool" && node.type !== "component")
    return `"${edge.from}" never gets the event "${edge.on ?? ""}"`;
  if (edge.condition === undefined) return "the edges before it are always taken";
  return "its condition is never true here, or the edges before it are taken first";
}
