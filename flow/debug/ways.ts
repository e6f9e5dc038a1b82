/** Finds the shortest path into a node, and a run along a path of nodes: the answers that lead there. */
import { withComponents } from "../policy/inlined";
import { routeBetween } from "../policy/routes";
import { type Answer, type FlowOf, type Frame, isEntry, next, type State, start, statesOf } from "../run/machine";
import type { Program } from "../run/program";
import { type Spending, Work, WorkSpent } from "../run/work";
import { answersTo } from "../test/generate/answers";
import { type Candidates, Worth } from "../test/generate/candidates";
import type { GeneratedTest } from "../test/generate/generate";
import { Search } from "../test/generate/search";
import { needsAnswer, Run, type RunSetup } from "./run";
import { scriptWith } from "./script";

export interface WayIn {
  /** Variables to set before the first node, if nothing else leads there. */
  readonly given: readonly (readonly [string, unknown])[];
  readonly answers: readonly Answer[];
}

/** What the search for a way may take; where that isn't enough, no run was found. */
const WAY_WORK = 4_000_000;

/** Undefined if no run was found that enters the node. Components on the way are run if their flows are available. */
export function wayInto(program: Program, id: string, flowOf: FlowOf = nowhere): WayIn | undefined {
  return within((work) => shortestInto(program, id, flowOf, work));
}

function shortestInto(program: Program, id: string, flowOf: FlowOf, work: Spending): WayIn | undefined {
  const node = program.nodes.get(id);
  if (!node) return undefined;
  const whole = withComponents(program, flowOf, work).program;
  const route = whole !== program && whole.entry && routeBetween(whole, whole.entry, (each) => each.id === id);
  const through = route && along(program, route.nodes, flowOf, work);
  if (through) return through;
  for (const isThinned of [false, true]) {
    const search = new Search(program, { isThinned, work: work });
    search.from([]);
    let way = search.wayTo(node);
    if (!way) {
      search.fromGiven(search.worth.in(program).asked);
      way = search.wayTo(node);
    }
    if (way) return { given: way.given, answers: way.answers.filter((answer) => answer !== undefined) };
    if (!search.isCut) break;
  }
  return undefined;
}

/** The most states with different values that are followed at one place of the path. */
const MAX_SIDE_BY_SIDE = 300;

/** A run that enters these nodes in this order; undefined if none was found. Variables are set where necessary. */
export function wayAlong(
  program: Program,
  path: readonly string[],
  flowOf: FlowOf = nowhere,
  known: KnownValues = new Map(),
): WayIn | undefined {
  return within((work) => along(program, path, flowOf, work, known));
}

/** Values that are tried first, by variable of the outermost flow. */
type KnownValues = ReadonlyMap<string, unknown>;

function within<Found>(search: (work: Spending) => Found | undefined): Found | undefined {
  try {
    return search(new Work(WAY_WORK));
  } catch (error) {
    if (error instanceof WorkSpent) return undefined;
    throw error;
  }
}

function along(
  program: Program,
  path: readonly string[],
  flowOf: FlowOf,
  work: Spending,
  known: KnownValues = new Map(),
): WayIn | undefined {
  const worth = new Worth(program, flowOf);
  const candidates = worth.in(program);
  const settable = new Set([...program.nodes.values()].flatMap(({ sets }) => sets));
  const own = [...known].filter(([name]) => !settable.has(name) && program.document.variable(name));
  const worthOf = (each: Program) => (each === program ? preferring(candidates, known) : worth.in(each));
  const asked = [...new Set([...candidates.asked, ...handedIn(program)])].flatMap((variable) =>
    candidates.of(variable).flatMap((value) => (value === undefined ? [] : [[[variable, value] as const]])),
  );
  for (const more of [[], ...asked]) {
    const given = [...own, ...more];
    const first = start(program, given, flowOf, work);
    if (!first || first.at !== path[0]) return undefined;
    let layer: Followed[] = [{ state: first, answers: [] }];
    for (const id of path.slice(1)) layer = arrivals(layer, id, worthOf, work);
    const [found] = layer;
    if (found) return { given, answers: found.answers };
  }
  return undefined;
}

function preferring(candidates: Candidates, known: KnownValues): Candidates {
  if (known.size === 0) return candidates;
  // What is known to have no value is tried without one first.
  const of: Candidates["of"] = (variable, node) => [
    ...new Set([known.get(variable), ...candidates.of(variable, node)]),
  ];
  return { ...candidates, of };
}

const nowhere: FlowOf = () => undefined;

/** The variables passed to components. */
function handedIn({ nodes }: Program): string[] {
  return [...nodes.values()].flatMap(({ type, reads }) =>
    type === "component" ? reads.map(({ variable }) => variable) : [],
  );
}

/** The values that a run may still depend on: the variables of its flow and of its callers. */
function valuesIn({ prefix, variables, caller }: Frame): unknown[] {
  return [prefix, [...variables], ...(caller ? valuesIn(caller.frame) : [])];
}

/** The most states visited while searching for an end. */
const MAX_ONWARDS = 5_000;

/** A test that enters these nodes in this order and continues to the nearest end; undefined if no run was found. */
export function testAlong(
  program: Program,
  path: readonly string[],
  flowOf: FlowOf = nowhere,
): GeneratedTest | undefined {
  return within((work) => runTo(program, path, flowOf, work));
}

function runTo(program: Program, path: readonly string[], flowOf: FlowOf, work: Spending): GeneratedTest | undefined {
  const way = along(program, path, flowOf, work);
  let state = way && start(program, way.given, flowOf, work);
  if (!way || !state) return undefined;
  const answers: GeneratedTest["answers"][number][] = [];
  for (const answer of way.answers) {
    while (!state.question && !state.ended) state = next(state, undefined);
    answers.push({ at: state, answer });
    state = next(state, answer);
  }
  const onwards = nearestEnd(state, new Worth(program, flowOf), work);
  if (!onwards) return undefined;
  const edge = statesOf(onwards.last).findLast(({ taken }) => taken !== undefined)?.taken;
  return { edge, given: way.given, answers: [...answers, ...onwards.answers], last: onwards.last };
}

/** The answers from a state to an end or a transfer, through as few nodes as possible. */
function nearestEnd(from: State, worth: Worth, work: Spending): Pick<GeneratedTest, "answers" | "last"> | undefined {
  const seen = new Set<string>();
  const open: Pick<GeneratedTest, "answers" | "last">[] = [{ answers: [], last: from }];
  for (const { answers, last } of open) {
    if (last.ended?.kind === "end" || last.ended?.kind === "transfer") return { answers, last };
    const key = JSON.stringify([last.phase, last.at, valuesIn(last.frame)]);
    if (last.ended || seen.has(key) || seen.size > MAX_ONWARDS) continue;
    seen.add(key);
    work.spend(answers.length + last.node.edges.length);
    for (const answer of answersTo(last, worth.in(last.frame.program)))
      open.push({ answers: answer ? [...answers, { at: last, answer }] : answers, last: next(last, answer) });
  }
  return undefined;
}

interface Followed {
  readonly state: State;
  readonly answers: readonly Answer[];
}

/** Continues each run to the next node of the path, with every relevant answer. */
function arrivals(
  from: readonly Followed[],
  id: string,
  worthOf: (program: Program) => Candidates,
  work: Spending,
): Followed[] {
  const arrived = new Map<string, Followed>();
  const open = [...from];
  for (const { state, answers } of open) {
    if (state.ended) continue;
    for (const answer of answersTo(state, worthOf(state.frame.program))) {
      work.spend(1 + answers.length);
      const after = next(state, answer);
      const reached = { state: after, answers: answer ? [...answers, answer] : answers };
      if (after.phase === "leaving") open.push(reached);
      else if (after.at === id && isEntry(after)) {
        const key = JSON.stringify(valuesIn(after.frame));
        if (!arrived.has(key) && arrived.size < MAX_SIDE_BY_SIDE) arrived.set(key, reached);
      }
    }
  }
  return [...arrived.values()];
}

/** A run that has followed a path. Variables it needs are added to the given ones. */
export function runAlong(setup: Omit<RunSetup, "test">, { given, answers }: WayIn): Run | undefined {
  const script = scriptWith({ given: Object.fromEntries(given) });
  const run = "problem" in script ? undefined : Run.begin({ ...setup, test: script.test });
  if (!run) return undefined;
  for (const answer of answers) {
    // The search determined all answers; everything else runs by itself.
    while (!needsAnswer(run.state)) if (run.forward().kind !== "moved") return run;
    run.answer(answer);
  }
  return run;
}
