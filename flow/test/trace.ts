/** Where in a run each step of a test is used, for completion of the next one. */
import { type Answer, type FlowOf, next, type Question, type State, start } from "../run/machine";
import type { Program, RunEdge } from "../run/program";
import { type Spending, TEST_WORK, Work, WorkSpent } from "../run/work";
import type { FlowTest, TestStep } from "./file/test-file";
import { Script } from "./runner";

export interface TracedStep {
  readonly step: TestStep;
  /** The state that asks for it. */
  readonly state: State;
  /** The edge that a `take` names; undefined for a `give`, and where it names none that can be taken. */
  readonly edge: RunEdge | undefined;
}

export interface Trace {
  readonly steps: readonly TracedStep[];
  /** The state where the steps were used up, or where one doesn't fit; undefined where the flow has no entry. */
  readonly last: State | undefined;
  /** What is asked there; undefined where the run has ended. */
  readonly question: Question | undefined;
}

/**
 * Follows the steps as far as they go, and as far as the work goes that may be spent. Problems of the test don't matter
 * here: it may be half typed.
 */
export function traceOf(test: FlowTest, program: Program, flowOf: FlowOf, work: Spending = new Work(TEST_WORK)): Trace {
  const given = [...test.given].map(([name, { value }]) => [name, value] as const);
  const steps: TracedStep[] = [];
  const script = new Script(test);
  let state = start(program, given, flowOf);
  try {
    while (state && !state.ended) {
      work.spend(1 + state.node.edges.length + state.frame.depth);
      const { question }: State = state;
      if (!question) {
        state = next(state);
        continue;
      }
      const step = question.kind === "call" ? undefined : test.steps[script.used];
      const answer: Answer | { readonly kind: string } = script.answer(state, question);
      if (step) steps.push({ step, state, edge: "take" in answer ? answer.take : undefined });
      if ("kind" in answer) return { steps, last: state, question };
      state = next(state, answer);
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  return { steps, last: state, question: undefined };
}
