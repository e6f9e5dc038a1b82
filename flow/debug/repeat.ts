/** Replays a run on the text after an edit, with the same answers as far as they apply. */
import { type Answer, isEntry, type State } from "../run/machine";
import { takeName } from "../test/takes";
import { type Moment, type Move, momentsOf, needsAnswer, Run, type RunSetup } from "./run";

export interface Repeated {
  readonly run: Run;
  /** Why the run isn't where it was, for the user. */
  readonly note: string | undefined;
}

/** Undefined if the flow can't run now; `whyNoRun` explains it. */
export function repeatRun(last: Moment, setup: RunSetup): Repeated | undefined {
  const run = Run.begin(setup);
  if (!run) return undefined;
  const moments = momentsOf(last);
  let since = 0;
  for (const [index, { move, before }] of moments.entries()) {
    if (!move || !before || move.kind === "step") continue;
    const note = again(run, move, before.state);
    if (note) return { run, note };
    since = index;
  }
  // After the last answer the run continues by itself: to the same node, with the same number of visits.
  const visits = visitsOf(moments.slice(since + 1), last.state);
  const reached = run.now;
  for (let left = visits; left > 0; ) {
    if (needsAnswer(run.state) || run.forward().kind !== "moved") {
      run.goBackTo(reached);
      return { run, note: `The run no longer reaches "${last.state.at}". It was replayed up to this point.` };
    }
    if (isAt(run.state, last.state)) left--;
  }
  return { run, note: undefined };
}

function visitsOf(moments: readonly Moment[], { at, phase }: State): number {
  return moments.filter(({ state }) => isAt(state, { at, phase })).length;
}

function isAt(state: State, { at, phase }: Pick<State, "at" | "phase">): boolean {
  return state.at === at && state.phase === phase;
}

/** Repeats a move; returns the reason if that's not possible. */
function again(run: Run, move: Exclude<Move, { kind: "step" }>, old: State): string | undefined {
  const reached = run.now;
  const isThere = () => (move.kind === "set" ? isAt(run.state, old) : needsAnswer(run.state));
  while (!isThere()) {
    const isStopped = needsAnswer(run.state) || run.forward().kind !== "moved";
    if (!isStopped) continue;
    if (move.kind === "set") run.goBackTo(reached);
    return `The run no longer reaches "${old.at}", where ${doneIn(move)}. It was replayed up to this point.`;
  }
  if (move.kind === "set") {
    const frames = framesOf(run.state);
    const frame = frames.find(({ depth }) => depth === move.frame.depth) ?? run.state.frame;
    run.set(frame, move.name, move.value);
    return undefined;
  }
  if (move.by === "script") {
    const result = run.forward();
    return result.kind === "asks" ? `${result.why.message} The run was replayed up to this point.` : undefined;
  }
  const answer = run.state.at === old.at ? fitting(move.answer, old, run.state) : undefined;
  if (answer) {
    run.answer(answer);
    return undefined;
  }
  return run.state.at === old.at
    ? `The answer at "${old.at}" no longer applies. The run was replayed up to this point.`
    : `The run now waits at "${run.state.at}", not at "${old.at}". It was replayed up to this point.`;
}

function doneIn(move: Move): string {
  return move.kind === "set" ? `"${move.name}" was changed` : "an answer was given";
}

/** The same answer for the current question. */
function fitting(answer: Answer, { question: old }: State, { question }: State): Answer | undefined {
  if (!question || question.kind !== old?.kind) return undefined;
  if ("take" in answer && question.kind === "choice") {
    const { open } = question.ways;
    const { id } = answer.take;
    const edge = open.find((each) => each.id === id) ?? only(open, takeName(answer.take));
    return edge && { take: edge };
  }
  if (question.kind === "value") return old.kind === "value" && old.variable === question.variable ? answer : undefined;
  return "take" in answer || "enter" in answer ? undefined : answer;
}

function only<Edge extends Parameters<typeof takeName>[0]>(edges: readonly Edge[], name: string): Edge | undefined {
  const [edge, ...more] = edges.filter((each) => takeName(each) === name);
  return more.length === 0 ? edge : undefined;
}

/** The frames of a state, the innermost first. */
export function framesOf({ frame }: State): State["frame"][] {
  const frames: State["frame"][] = [];
  for (let at: State["frame"] | undefined = frame; at; at = at.caller?.frame) frames.push(at);
  return frames;
}

/** The last moment at which a node was entered, at or before the given one. */
export function entryOf(last: Moment, at: string): Moment | undefined {
  for (let moment: Moment | undefined = last; moment; moment = moment.before)
    if (moment.state.at === at && isEntry(moment.state) && moment.move?.kind !== "set") return moment;
  return undefined;
}
