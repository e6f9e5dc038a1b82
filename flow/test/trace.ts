/** Finds where in a run each step of a test is used, for completion of the next one. */
import { type Answer, type FlowOf, next, type Question, type State, start } from "../run/machine";
import type { Program, RunEdge } from "../run/program";
import { type Spending, TEST_WORK, Work, WorkSpent } from "../run/work";
import type { FlowTest, TestStep } from "./file/test-file";
import { Script } from "./runner";

export interface TracedStep {
  readonly step: TestStep;
  /** The state with the question. */
  readonly state: State;
  /** The edge that a `take` names; undefined for a `give`, or if the edge can't be taken. */
  readonly edge: RunEdge | undefined;
}

export interface Trace {
  readonly steps: readonly TracedStep[];
  /** The state where the steps were used up or one doesn't fit; undefined if the flow has no entry. */
  readonly last: State | undefined;
  /** The question there; undefined if the run has ended. */
  readonly question: Question | undefined;
}

/**
 * Follows the steps as far as possible, and as far as the allowed work permits. Ignores problems of the test: it may be
 * incomplete.
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
