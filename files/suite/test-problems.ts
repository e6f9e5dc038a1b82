/** What is wrong in a test file: what can't be read, names the flow doesn't have, and why a test fails. */

import { type Fix, type Span, shift } from "../../flow";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import {
  type Failure,
  type FailureKind,
  type FlowTest,
  runTest,
  type TestFile,
  type TestProblem,
  type TestWarning,
  testFixes,
  warningsOf,
} from "../../flow/test";
import { t } from "../../text";
import type { CompanionProblem } from "./companion-problem";

/** The test can't be run as it is written; with every other failure the flow does something else than is expected. */
const UNUSABLE: ReadonlySet<FailureKind> = new Set([
  "bad-test",
  "edge-unknown",
  "edge-not-taken",
  "step-missing",
  "step-left-over",
  "wrong-step",
  "stub-missing",
]);

export function problemsOfFile({ problems }: TestFile): CompanionProblem[] {
  return problems.map(unreadable);
}

/** Of a test, given as its cases where it has some. */
export function problemsOfTest(
  text: string,
  cases: readonly FlowTest[],
  program: Program,
  flowOf: FlowOf,
  work: SharedWork,
): CompanionProblem[] {
  const unread = cases[0]?.problems ?? [];
  const results = cases.map((test) => runTest(test, program, flowOf, work.forTest()));
  const told = new Set<string>();
  const failures = results.flatMap((result) =>
    result.failures.flatMap((failure): CompanionProblem[] => {
      // Cases share places, and may fail there alike.
      const key = `${failure.span.start} ${failure.message}`;
      if (unread.length > 0 || told.has(key)) return [];
      told.add(key);
      return [{ ...ofFailure(failure), fixes: () => testFixes(text, result, failure) }];
    }),
  );
  return [...unread.map(unreadable), ...failures, ...warningsOf(text, results, program, flowOf, work).map(ofWarning)];
}

/** The flow isn't there, or isn't where the test file may look. */
export function noFlowProblem({ value, span }: NonNullable<TestFile["flow"]>, isSaved = true): CompanionProblem {
  const message = isSaved
    ? `There's no flow file "${value}". \`flow\` is relative to this file.`
    : "Save this file: `flow` is relative to it.";
  return { code: "bad-test", severity: "error", message, span, related: [], fixes: () => [] };
}

/** Where there's no flow to run the test with. */
export function problemsOfText(test: FlowTest): CompanionProblem[] {
  const unused = test.unused.map((each) => ofWarning({ ...each, kind: "not-used" }));
  return [...test.problems.map(unreadable), ...unused];
}

function unreadable({ message, span, near }: TestProblem): CompanionProblem {
  const fixes = () => (near === undefined ? [] : [changeTo(near, span)]);
  return { code: "bad-test", severity: "error", message, span, related: [], fixes };
}

function changeTo(near: string, span: Span): Fix {
  return { title: t('Change to "{0}"', near), edits: [{ ...span, text: near }], preferred: true };
}

function ofFailure({ kind, message, span, at }: Failure): CompanionProblem {
  return {
    code: kind,
    severity: UNUSABLE.has(kind) ? "error" : "warning",
    message,
    span,
    related: at ? [{ ...at, message: "It happens here in the flow." }] : [],
    fixes: () => [],
  };
}

function ofWarning({ kind, message, span, near }: TestWarning): CompanionProblem {
  const fixes = () => (near === undefined ? [] : [changeTo(near, span)]);
  return { code: kind, severity: "warning", message, span, related: [], fixes };
}

/**
 * The problems of each test, kept while its text and the flows stay the same: a long file is not run as a whole after
 * every keystroke. Places are kept relative to the test.
 */
export class KeptProblems {
  #flows: readonly Program[] = [];
  #known = new Map<string, readonly CompanionProblem[]>();
  #used = new Map<string, readonly CompanionProblem[]>();
  #work = new SharedWork();

  /** Before a file is gone through, with the flow and its components as they are. */
  begin(flows: readonly Program[]): void {
    const isSame = flows.length === this.#flows.length && flows.every((each, index) => each === this.#flows[index]);
    if (!isSame) this.#known = new Map();
    this.#flows = flows;
    this.#used = new Map();
    this.#work = new SharedWork();
  }

  /** A test, given as its cases where it has some. */
  of(text: string, cases: readonly FlowTest[], program: Program, flowOf: FlowOf): readonly CompanionProblem[] {
    const [test] = cases;
    if (!test) return [];
    const { start, end } = test.span;
    const own = text.slice(start, end);
    const isAlone = !/[*&]/.test(own) && test.problems.length === 0;
    let relative = isAlone ? this.#known.get(own) : undefined;
    if (!relative)
      relative = problemsOfTest(text, cases, program, flowOf, this.#work).map((each) => moved(each, -start));
    if (isAlone) this.#used.set(own, relative);
    // A fix is worked out for the text as it is now.
    return relative.map((each) => ({
      ...moved(each, start),
      fixes: () =>
        problemsOfTest(text, cases, program, flowOf, new SharedWork())
          .find(({ code, span }) => code === each.code && span.start === each.span.start + start)
          ?.fixes() ?? [],
    }));
  }

  /** After the last test of a file: what no test of it has is forgotten. */
  end(): void {
    this.#known = this.#used;
  }
}

function moved(problem: CompanionProblem, by: number): CompanionProblem {
  return { ...problem, span: shift(problem.span, by) };
}
