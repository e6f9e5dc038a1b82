/** What is wrong in a test file: what can't be read, names the flow doesn't have, and why a test fails. */

import {
  type Failure,
  type FailureKind,
  type Fix,
  type FlowOf,
  type FlowTest,
  namesInTest,
  nearest,
  type Program,
  runTest,
  type Span,
  shift,
  type TestFile,
  type TestName,
  type TestProblem,
  testFixes,
} from "../../../flow";
import { t } from "../../../text";
import type { CompanionProblem } from "../companion";

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

export function problemsOfTest(text: string, test: FlowTest, program: Program, flowOf: FlowOf): CompanionProblem[] {
  if (test.problems.length > 0) return test.problems.map(unreadable);
  const result = runTest(test, program, flowOf);
  return [
    ...result.failures.map((failure) => ({
      ...ofFailure(failure),
      fixes: () => testFixes(text, result, failure),
    })),
    ...unknownNames(namesInTest(test, text, program, flowOf), program, result.failures),
  ];
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

/** A name that the flow doesn't have never matches, so an expectation with it would hold for no reason. */
function unknownNames(names: readonly TestName[], program: Program, failures: readonly Failure[]): CompanionProblem[] {
  const told = new Set(failures.map(({ span }) => span.start));
  return names.flatMap((each): CompanionProblem[] => {
    const { nodes, document } = each.program;
    if (told.has(each.span.start)) return [];
    if (each.kind === "node" && !nodes.has(each.name))
      return [unknown(each, `No node is called "${each.name}".`, nodes.keys())];
    if (each.kind !== "variable" || each.program !== program || document.variable(each.name)) return [];
    if (document.variables.length === 0) return [];
    const declared = document.variables.map(({ name }) => name);
    return [unknown(each, `The flow has no context variable "${each.name}".`, declared)];
  });
}

function unknown({ kind, name, span }: TestName, message: string, known: Iterable<string>): CompanionProblem {
  const near = nearest(name, known);
  return {
    code: kind === "node" ? "unknown-node" : "undefined-variable",
    severity: "warning",
    message: near ? `${message} Did you mean "${near}"?` : message,
    span,
    related: [],
    fixes: () => (near ? [changeTo(near, span)] : []),
  };
}

/**
 * The problems of each test, kept while its text and the flows stay the same: a long file is not run as a whole after
 * every keystroke. Places are kept relative to the test.
 */
export class KeptProblems {
  #flows: readonly Program[] = [];
  #known = new Map<string, readonly CompanionProblem[]>();
  #used = new Map<string, readonly CompanionProblem[]>();

  /** Before a file is gone through, with the flow and its components as they are. */
  begin(flows: readonly Program[]): void {
    const isSame = flows.length === this.#flows.length && flows.every((each, index) => each === this.#flows[index]);
    if (!isSame) this.#known = new Map();
    this.#flows = flows;
    this.#used = new Map();
  }

  of(text: string, test: FlowTest, program: Program, flowOf: FlowOf): readonly CompanionProblem[] {
    const { start, end } = test.span;
    const own = text.slice(start, end);
    const isAlone = !/[*&]/.test(own) && test.problems.length === 0;
    let relative = isAlone ? this.#known.get(own) : undefined;
    if (!relative) relative = problemsOfTest(text, test, program, flowOf).map((each) => moved(each, -start));
    if (isAlone) this.#used.set(own, relative);
    // A fix is worked out for the text as it is now.
    return relative.map((each) => ({
      ...moved(each, start),
      fixes: () =>
        problemsOfTest(text, test, program, flowOf)
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
