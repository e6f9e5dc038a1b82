/** Diagnostics of test files: syntax errors, names the flow doesn't have, and failures. */

import { notAFlow, shift } from "../../flow";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import {
  duplicateNames,
  type Failure,
  type FailureKind,
  type FlowTest,
  runTest,
  type TestFile,
  type TestProblem,
  type TestResult,
  type TestWarning,
  testFixes,
  testsWithCases,
  warningsOf,
  whyNoRuns,
} from "../../flow/test";
import type { KnownTools } from "../../flow/tools";
import { type CompanionProblem, companionProblem } from "./companion-problem";

/**
 * Failures because the test itself can't run as written. In all others the flow behaves differently from what is
 * expected.
 */
const UNUSABLE: ReadonlySet<FailureKind> = new Set([
  "bad-test",
  "edge-unknown",
  "edge-not-taken",
  "step-missing",
  "step-left-over",
  "wrong-step",
  "stub-missing",
]);

export function problemsOfFile(file: TestFile): CompanionProblem[] {
  return [...file.problems.map(unreadable), ...duplicateNames(file).map(ofWarning)];
}

/** `cases` are the cases of one test, or the test itself if it has none. */
export function problemsOfTest(
  text: string,
  cases: readonly FlowTest[],
  program: Program,
  flowOf: FlowOf,
  work: SharedWork,
  tools?: KnownTools,
): CompanionProblem[] {
  const unread = cases[0]?.problems ?? [];
  const results = cases.map((test) => runTest(test, program, flowOf, work.forTest()));
  const seen = new Set<string>();
  const failures = results.flatMap((result) =>
    result.failures.flatMap((failure): CompanionProblem[] => {
      // Cases share locations and may fail there in the same way.
      const key = `${failure.span.start} ${failure.message}`;
      if (unread.length > 0 || seen.has(key)) return [];
      seen.add(key);
      const isFine = (after: TestFile) => !breaksOthers(after, result, results, program, flowOf);
      return [{ ...ofFailure(failure), fixes: () => testFixes(text, result, failure, isFine, tools) }];
    }),
  );
  return [...unread.map(unreadable), ...failures, ...warningsOf(text, results, program, flowOf, work).map(ofWarning)];
}

/** Whether another case of a test has more failures in the edited file. */
function breaksOthers(
  { tests }: TestFile,
  { test }: TestResult,
  results: readonly TestResult[],
  program: Program,
  flowOf: FlowOf,
): boolean {
  const work = new SharedWork();
  const after = tests.filter(({ span }) => span.start === test.span.start);
  return results.some(({ test: each, failures }) => {
    const edited = after.find((other) => other.case?.index === each.case?.index);
    if (each === test || !edited) return false;
    return runTest(edited, program, flowOf, work.forTest()).failures.length > failures.length;
  });
}

/** The diagnostics of a file whose tests can't be run, with the reason at `flow`; undefined if they can be. */
export function problemsWithoutRuns(
  file: TestFile,
  flow: Program | undefined,
  isSaved = true,
): CompanionProblem[] | undefined {
  const why = flow ? whyNoRuns(file, flow) : file.flow && noFlow(file.flow, isSaved);
  if (flow && !why) return undefined;
  const ofTests = testsWithCases(file.tests).flatMap(([test]) => (test ? problemsOfText(test) : []));
  return [...ofTests, ...(why ? [unreadable(why)] : [])];
}

/** The flow doesn't exist, or is outside the folders the test may read. */
function noFlow({ value, span }: NonNullable<TestFile["flow"]>, isSaved: boolean): TestProblem {
  const message = isSaved
    ? (notAFlow(value) ?? `Flow file "${value}" doesn't exist. \`flow\` is relative to this file.`)
    : "Save this file first. `flow` is relative to it.";
  return { message, span };
}

function problemsOfText(test: FlowTest): CompanionProblem[] {
  const unused = test.unused.map((each) => ofWarning({ ...each, kind: "not-used" }));
  return [...test.problems.map(unreadable), ...unused];
}

function unreadable(problem: TestProblem): CompanionProblem {
  return companionProblem("bad-test", "error", problem);
}

function ofFailure({ kind, message, span, at }: Failure): CompanionProblem {
  const problem = companionProblem(kind, UNUSABLE.has(kind) ? "error" : "warning", { message, span });
  return { ...problem, related: at ? [{ ...at, message: "The failure occurs here in the flow." }] : [] };
}

function ofWarning({ kind, ...warning }: TestWarning): CompanionProblem {
  return companionProblem(kind, "warning", warning);
}

/**
 * Caches the problems of each test while its text and its flows stay the same, so that a long file isn't run completely
 * after every keystroke. Spans are relative to the test.
 */
export class KeptProblems {
  #flows: readonly { readonly program: Program; readonly text: string }[] = [];
  #known = new Map<string, readonly CompanionProblem[]>();
  #used = new Map<string, readonly CompanionProblem[]>();
  #work = new SharedWork();

  /** Call before the tests of a file, with the flow and its components. */
  begin(flows: readonly Program[]): void {
    // A comment changes no program, but it moves the places in the flow that failures name.
    const now = flows.map((program) => ({ program, text: program.document.text }));
    const isSame =
      now.length === this.#flows.length &&
      now.every(
        ({ program, text }, index) => program === this.#flows[index]?.program && text === this.#flows[index]?.text,
      );
    if (!isSame) this.#known = new Map();
    this.#flows = now;
    this.#used = new Map();
    this.#work = new SharedWork();
  }

  /** `cases` are the cases of one test, or the test itself if it has none. */
  of(
    text: string,
    cases: readonly FlowTest[],
    program: Program,
    flowOf: FlowOf,
    tools?: KnownTools,
  ): readonly CompanionProblem[] {
    const [test] = cases;
    if (!test) return [];
    const { start, end } = test.span;
    const own = text.slice(start, end);
    const isAlone = !/[*&]/.test(own) && test.problems.length === 0;
    let relative = isAlone ? this.#known.get(own) : undefined;
    if (!relative)
      relative = problemsOfTest(text, cases, program, flowOf, this.#work).map((each) => moved(each, -start));
    if (isAlone) this.#used.set(own, relative);
    // Fixes are computed for the current text.
    return relative.map((each) => ({
      ...moved(each, start),
      fixes: () =>
        problemsOfTest(text, cases, program, flowOf, new SharedWork(), tools)
          .find(
            ({ code, span, message }) =>
              code === each.code && span.start === each.span.start + start && message === each.message,
          )
          ?.fixes() ?? [],
    }));
  }

  /** Call after the last test of a file: unused entries are dropped. */
  end(): void {
    this.#known = this.#used;
  }
}

function moved(problem: CompanionProblem, by: number): CompanionProblem {
  return { ...problem, span: shift(problem.span, by) };
}
