/**
 * Runs a test: its steps and stubs answer the machine's questions; then the result is compared with the expectations.
 */

import { TEMPLATES } from "../grammar";
import type { Answer, FlowOf, Question, State } from "../run/machine";
import { edgesOf, isEntry, next, pathOf, start, statesOf, variablesOf } from "../run/machine";
import type { Program } from "../run/program";
import { type Spending, TEST_WORK, Work, WorkSpent } from "../run/work";
import type { Span } from "../text";
import { unreadIn, unreadWords, whyNoRun } from "../unread";
import { checkExpectations } from "./expectations";
import { type Failure, type FailureKind, type FlowPlace, nodePlace } from "./failure";
import type { FlowTest, StubAnswer, TestProblem, TestStep } from "./file/test-model";
import { findEdge } from "./takes";

export interface TestResult {
  readonly test: FlowTest;
  /** `skipped`: the test has a reason for it. */
  readonly status: "passed" | "failed" | "skipped";
  readonly path: readonly string[];
  readonly edges: readonly string[];
  /** The variables of the flow at the end. */
  readonly variables: ReadonlyMap<string, unknown>;
  /** Absent if the test wasn't run. */
  readonly ended: RunEnd | undefined;
  readonly failures: readonly Failure[];
  /** The parts of the test that the run didn't use. */
  readonly unused: readonly TestProblem[];
  /** The last state of a failed run, with its history. Not kept for passed ones: there may be thousands. */
  readonly last: State | undefined;
}

/** `waiting`: the script had no answer to the question. */
export interface RunEnd {
  readonly kind: "end" | "transfer" | "stuck" | "endless" | "waiting";
  readonly node: string;
}

/** A run that exceeds the allowed work isn't checked, and its failure says so. */
export function runTest(
  test: FlowTest,
  program: Program,
  flowOf: FlowOf,
  work: Spending = new Work(TEST_WORK),
): TestResult {
  try {
    return runWith(test, program, flowOf, work);
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return notRun(test, "too-large", TOO_LARGE, test.nameSpan);
  }
}

const TOO_LARGE =
  "Not checked: too large. The runs take too many steps together. Run fewer tests at once, or look for an endless loop.";

function runWith(test: FlowTest, program: Program, flowOf: FlowOf, work: Spending): TestResult {
  if (test.skip) return { ...notRun(test, "bad-test", "", test.nameSpan), status: "skipped", failures: [] };
  const [problem] = test.problems;
  if (problem) return notRun(test, "bad-test", problem.message, problem.span);
  const given = [...test.given].map(([name, { value }]) => [name, value] as const);
  let state = unreadIn(program.document) ? undefined : start(program, given, flowOf, work);
  if (!state) return notRun(test, "bad-test", `The flow ${whyNoRun(program.document)}`, test.nameSpan);
  const script = new Script(test);
  while (!state.ended) {
    if (!state.question) state = next(state);
    else {
      const answer: Answer | Failure = script.answer(state, state.question);
      if ("kind" in answer) return result(test, state, { kind: "waiting", node: state.at }, [answer], []);
      state = next(state, answer);
    }
  }
  const unused = unusedIn(test, state, script.position.calls);
  return result(test, state, state.ended, checkExpectations(test, state, script.used), unused);
}

function result(
  test: FlowTest,
  last: State,
  ended: RunEnd,
  failures: readonly Failure[],
  unused: readonly TestProblem[],
): TestResult {
  const run = { test, path: pathOf(last), edges: edgesOf(last), variables: variablesOf(last), ended, failures, unused };
  return failures.length === 0 ? { ...run, status: "passed", last: undefined } : { ...run, status: "failed", last };
}

function notRun(test: FlowTest, kind: FailureKind, message: string, span: Span): TestResult {
  const failures: Failure[] = [{ kind, message, span }];
  return {
    test,
    status: "failed",
    path: [],
    edges: [],
    variables: new Map(),
    ended: undefined,
    failures,
    unused: [],
    last: undefined,
  };
}

/** The used part of a script: its steps, and the answers to calls by key. */
export interface ScriptPosition {
  readonly steps: number;
  readonly calls: ReadonlyMap<string, number>;
}

/** The steps and stubs of a test, used in order. */
export class Script {
  /** Can be set back to continue from an earlier state of the run. */
  position: ScriptPosition = { steps: 0, calls: new Map() };

  constructor(readonly test: FlowTest) {}

  /** How many steps were used. */
  get used(): number {
    return this.position.steps;
  }

  /** Skips the scripted answer to a question that was answered in another way. */
  skip(state: State, question: Question): void {
    if (question.kind === "call") {
      const key = this.#keyOf(state, question);
      if (key !== undefined) this.#countCall(key);
    } else if (this.test.steps.length > this.used) this.#countStep();
  }

  /** The next answer to a question, or a failure if there is none. */
  answer(state: State, question: Question): Answer | Failure {
    if (question.kind === "call") return this.#stub(state, question);
    const step = this.test.steps[this.used];
    if (!step) return this.#missing(state, question);
    const wrong = wrongStep(step, state, question);
    if (wrong) return { kind: "wrong-step", message: wrong, span: (step.at ?? step).span, at: nodePlace(state) };
    const { does } = step;
    const answer: Answer | Failure =
      does.kind === "give"
        ? { give: does.value }
        : findEdge(does.edge, state, question as Question & { kind: "choice" });
    if (!("kind" in answer)) this.#countStep();
    return answer;
  }

  #keyOf({ at }: State, { id }: Question & { kind: "call" }): string | undefined {
    return [at, id ?? ""].find((name) => this.test.tools.has(name));
  }

  #countStep(): void {
    this.position = { ...this.position, steps: this.used + 1 };
  }

  #countCall(key: string): number {
    const { calls } = this.position;
    const call = (calls.get(key) ?? 0) + 1;
    this.position = { ...this.position, calls: new Map(calls).set(key, call) };
    return call;
  }

  #stub(state: State, question: Question & { kind: "call" }): Answer | Failure {
    const { what, flow } = question;
    const key = this.#keyOf(state, question);
    const stubs = key === undefined ? undefined : this.test.tools.get(key);
    if (key === undefined || !stubs) {
      const unread = flow && unreadWords(flow.document);
      if (flow && unread === undefined) return { enter: flow };
      const isMissing = what === "component" && unread === undefined;
      const where = isMissing ? "No flow in the workspace has its ID, and the" : "The";
      const under = `under \`tools\`: \`${state.at}: {return: {…}}\`.`;
      const message =
        unread === undefined
          ? `${where} test has no answer for the ${what} at "${state.at}". Add it ${under}`
          : `The flow of the component at "${state.at}" ${unread} Correct that, or add the component's answer ${under}`;
      return { kind: "stub-missing", message, span: this.test.nameSpan, at: nodePlace(state) };
    }
    const call = this.#countCall(key);
    const answer: StubAnswer | undefined = stubs.isList ? stubs.answers[call - 1] : stubs.answers[0];
    if (answer) return answer;
    const message = `This is call ${call} of "${key}", and the test has ${stubs.answers.length === 1 ? "1 answer" : `${stubs.answers.length} answers`} for it.`;
    return { kind: "stub-missing", message, span: stubs.span, at: nodePlace(state) };
  }

  #missing(state: State, question: Question): Failure {
    const last = this.test.steps.at(-1);
    const needs =
      question.kind === "value"
        ? `a value for "${question.variable}". Add the step \`give: {${question.variable}: …}\``
        : `a choice. Add a step with \`take\`: ${choices(question)}`;
    const message = `The run asks at "${state.at}" for ${needs}.`;
    return { kind: "step-missing", message, span: last?.span ?? this.test.nameSpan, at: nodePlace(state) };
  }
}

/** The edges to choose from, as they would be written in `take`. */
function choices(question: Question): string {
  if (question.kind !== "choice") return "";
  return question.ways.open.map((edge) => `"${edge.when || edge.label || edge.to}"`).join(" or ");
}

function wrongStep(step: TestStep, state: State, question: Question): string | undefined {
  if (step.at && step.at.value !== state.at)
    return `The step is for "${step.at.value}", but the run asks at "${state.at}".`;
  const { does } = step;
  if (question.kind === "choice")
    return does.kind === "give"
      ? `The run asks at "${state.at}" for a choice, but the step ${givesWords(does)}. Use \`take\`: ${choices(question)}.`
      : undefined;
  if (question.kind !== "value") return undefined;
  if (does.kind === "take")
    return `The run asks at "${state.at}" for "${question.variable}", but the step takes "${does.edge.value}". Use \`give: {${question.variable}: …}\`.`;
  return does.variable === undefined || does.variable.value === question.variable
    ? undefined
    : `The run asks at "${state.at}" for "${question.variable}", but the step ${givesWords(does)}.`;
}

function givesWords({ variable }: TestStep["does"] & { readonly kind: "give" }): string {
  return variable ? `gives "${variable.value}"` : "says that the caller gave up";
}

/** The locations of a run in its flows, the last one first: the stack of a failure. */
export function placesOf(last: State, most: number): { readonly at: string; readonly place: FlowPlace }[] {
  const places: { at: string; place: FlowPlace }[] = [];
  for (let state: State | undefined = last; state && places.length < most; state = state.before)
    if (isEntry(state)) places.push({ at: state.at, place: nodePlace(state) });
  return places;
}

/** The unused parts after a run that reached an end. `calls` is how often each key of `tools` answered. */
function unusedIn(test: FlowTest, last: State, calls: ReadonlyMap<string, number>): TestProblem[] {
  const unset = test.expect.unset.length > 0 ? readUnset(last) : undefined;
  const unread = test.expect.unset.flatMap(({ value, span }): TestProblem[] =>
    unset?.has(value) ? [] : [{ message: `The run doesn't read "${value}" without a value.`, span }],
  );
  // One of several tests may leave a shared part unused.
  return test.isShared ? unread : [...unread, ...unusedAnswers(test, calls), ...unusedValues(test, last)];
}

function unusedAnswers({ tools }: FlowTest, calls: ReadonlyMap<string, number>): TestProblem[] {
  return [...tools].flatMap(([key, { span, isList, answers }]): TestProblem[] => {
    const used = calls.get(key) ?? 0;
    if (used === 0) return [{ message: `The run doesn't call "${key}", so its answer isn't used.`, span }];
    if (!isList || used >= answers.length) return [];
    const message = `The run calls "${key}" ${used === 1 ? "once" : `${used} times`}, but the test has ${answers.length} answers.`;
    return [{ message, span }];
  });
}

function unusedValues({ given, expect }: FlowTest, last: State): TestProblem[] {
  if (given.size === 0) return [];
  const read = new Set<string>();
  for (const node of new Set(statesOf(last).flatMap(({ frame, node }) => (frame.caller ? [] : node))))
    for (const [, name = ""] of node.block.text.matchAll(TEMPLATES)) read.add(name);
  return [...given].flatMap(([name, { value, span }]): TestProblem[] => {
    if (value === undefined) return [{ message: `"${name}" has no value anyway, so this has no effect.`, span }];
    if (read.has(name) || expect.variables.has(name)) return [];
    return [{ message: `The run doesn't read "${name}", so its value isn't used.`, span }];
  });
}

function readUnset(last: State): ReadonlySet<string> {
  return new Set(statesOf(last).flatMap(({ unset }) => unset.map(({ variable }) => variable)));
}
