/**
 * An interactive run: forward, back, and forward again on the same path. Answers are kept when the run goes back, so
 * going forward repeats them; another answer or value starts another future.
 */
import { type Answer, type FlowOf, type Frame, next, type State, start, withVariable } from "../run/machine";
import type { Program } from "../run/program";
import type { Failure } from "../test/failure";
import type { FlowTest } from "../test/file/test-file";
import { Script, type ScriptPosition } from "../test/runner";
import type { KnownTools } from "../tools";
import { unreadIn } from "../unread";

export interface RunSetup {
  readonly program: Program;
  readonly flowOf: FlowOf;
  /** Given variables, tool results, and steps, which are used before the user is asked. */
  readonly test: FlowTest;
  /** The tools of the flow; undefined if they aren't known. */
  readonly tools?: KnownTools | undefined;
}

/** A state of the run, and how it was reached. */
export interface Moment {
  readonly before: Moment | undefined;
  /** The number of moments before it. */
  readonly number: number;
  readonly state: State;
  readonly move: Move | undefined;
  /** How much of the script was used so far. */
  readonly position: ScriptPosition;
}

export type Move =
  | { readonly kind: "step" }
  | { readonly kind: "answer"; readonly answer: Answer; readonly by: "script" | "person" }
  | { readonly kind: "set"; readonly frame: Frame; readonly name: string; readonly value: unknown };

export type Forward =
  | { readonly kind: "moved" }
  /** The run waits for an answer; `why` is the reason that the script has none. */
  | { readonly kind: "asks"; readonly why: Failure }
  | { readonly kind: "ended" };

export class Run {
  readonly #script: Script;
  #now: Moment;
  /** Moments after the current one, the next one last. */
  #later: Moment[] = [];

  /** Undefined if the flow can't run; `whyNoRun` explains it. */
  static begin(setup: RunSetup): Run | undefined {
    const given = [...setup.test.given].map(([name, { value }]) => [name, value] as const);
    const first = unreadIn(setup.program.document) ? undefined : start(setup.program, given, setup.flowOf);
    return first && new Run(setup, first);
  }

  private constructor(
    readonly setup: RunSetup,
    first: State,
  ) {
    this.#script = new Script(setup.test);
    this.#now = { before: undefined, number: 0, state: first, move: undefined, position: this.#script.position };
  }

  get now(): Moment {
    return this.#now;
  }

  get state(): State {
    return this.#now.state;
  }

  /** Whether the run went back, so that the next steps are known. */
  get isBehind(): boolean {
    return this.#later.length > 0;
  }

  forward(): Forward {
    const known = this.#later.pop();
    if (known) {
      this.#now = known;
      return { kind: "moved" };
    }
    const { state } = this.#now;
    if (state.ended) return { kind: "ended" };
    if (!needsAnswer(state)) {
      this.#arrive(next(state), { kind: "step" });
      return { kind: "moved" };
    }
    this.#script.position = this.#now.position;
    const answer = this.#script.answer(state, state.question);
    if ("kind" in answer) return { kind: "asks", why: answer };
    this.#arrive(next(state, answer), { kind: "answer", answer, by: "script" });
    return { kind: "moved" };
  }

  /** Goes one moment back; false at the first. */
  back(): boolean {
    const { before } = this.#now;
    if (!before) return false;
    this.#later.push(this.#now);
    this.#now = before;
    return true;
  }

  /** Answers the question here, instead of the script. */
  answer(answer: Answer): void {
    const { state } = this.#now;
    if (!needsAnswer(state)) throw new Error(`The run asks nothing at "${state.at}".`);
    this.#script.position = this.#now.position;
    this.#script.skip(state, state.question);
    this.#arrive(next(state, answer), { kind: "answer", answer, by: "person" });
  }

  /** Changes a variable here, in the frame's flow. Going back undoes it. */
  set(frame: Frame, name: string, value: unknown): void {
    this.#script.position = this.#now.position;
    this.#arrive(withVariable(this.state, frame, name, value), { kind: "set", frame, name, value });
  }

  /** The question that the script doesn't answer, if any. Doesn't change the run. */
  asks(): Failure | undefined {
    const { state } = this.#now;
    if (this.isBehind || !needsAnswer(state)) return undefined;
    this.#script.position = this.#now.position;
    const answer = this.#script.answer(state, state.question);
    return "kind" in answer ? answer : undefined;
  }

  /** Goes back to an earlier moment of the run. */
  goBackTo(moment: Moment): void {
    while (this.#now !== moment && this.back());
  }

  #arrive(state: State, move: Move): void {
    const before = this.#now;
    this.#now = { before, number: before.number + 1, state, move, position: this.#script.position };
    this.#later = [];
  }
}

/** A choice that a changed variable has decided needs no answer. */
export function needsAnswer(state: State): state is State & { readonly question: NonNullable<State["question"]> } {
  const { question } = state;
  return question !== undefined && (question.kind !== "choice" || question.ways.isChoice);
}

/** The moments of a run up to one, from the first. */
export function momentsOf(last: Moment): Moment[] {
  const moments: Moment[] = [];
  for (let moment: Moment | undefined = last; moment; moment = moment.before) moments.push(moment);
  return moments.reverse();
}
