/**
 * Warnings about parts of a test without effect: parts that its run didn't use, and names that the flow doesn't have.
 */

import type { FlowOf } from "../run/machine";
import type { Program } from "../run/program";
import type { SharedWork, Spending } from "../run/work";
import { doesNotExist, nearest } from "../wording";
import type { FlowTest, TestFile, TestProblem } from "./file/test-model";
import { namesInTest, type TestName } from "./names";
import type { TestResult } from "./runner";
import { traceOf } from "./trace";

export interface TestWarning extends TestProblem {
  readonly kind: "not-used" | "unknown-node" | "undefined-variable" | "duplicate-name";
}

/** Tests that have the name of an earlier test in the file, so that a name or a report doesn't say which one is meant. */
export function duplicateNames({ tests }: Pick<TestFile, "tests">): (TestWarning & { readonly test: FlowTest })[] {
  const names = new Set<string>();
  return tests.flatMap((test) => {
    if (!names.has(test.name)) {
      names.add(test.name);
      return [];
    }
    const message = `Another test in this file is named "${test.name}". Rename one of them.`;
    return [{ kind: "duplicate-name", message, span: test.case?.span ?? test.nameSpan, test }];
  });
}

/**
 * The warnings of a test, given the results of all its cases. A shared part only counts as unused if it's unused in
 * each case that was run, and is reported once.
 */
export function warningsOf(
  text: string,
  results: readonly TestResult[],
  program: Program,
  flowOf: FlowOf,
  work: SharedWork,
): TestWarning[] {
  const run = results.filter(({ status }) => status !== "skipped");
  const found = run.map((result) => ownWarnings(text, result, program, flowOf, work.forTest()));
  if (run.length < 2) return found.flat();
  const keyOf = ({ message, span }: TestWarning) => `${span.start} ${message}`;
  const counts = new Map<string, number>();
  for (const each of found) for (const key of new Set(each.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const reported = new Set<string>();
  return found.flatMap((warnings, index) =>
    warnings.filter((each) => {
      const own = run[index]?.test.case?.span;
      const isOwn = own && each.span.start >= own.start && each.span.end <= own.end;
      const key = keyOf(each);
      if (reported.has(key) || (!isOwn && counts.get(key) !== run.length)) return false;
      reported.add(key);
      return true;
    }),
  );
}

function ownWarnings(
  text: string,
  result: TestResult,
  program: Program,
  flowOf: FlowOf,
  work: Spending,
): TestWarning[] {
  const { test, failures } = result;
  // A name starts after its quote.
  const startOf = ({ span: { start } }: TestProblem) => (/["']/.test(text[start] ?? "") ? start + 1 : start);
  const reported = new Set(failures.map(startOf));
  const names = test.problems.length > 0 ? [] : namesOf(text, test, program, flowOf, work);
  const unknown = unknownNames(names, program).filter((each) => !reported.has(startOf(each)));
  for (const each of unknown) reported.add(startOf(each));
  const unused = [...test.unused, ...result.unused].filter((each) => !reported.has(startOf(each)));
  return [...unused.map((each): TestWarning => ({ ...each, kind: "not-used" })), ...unknown];
}

function namesOf(text: string, test: FlowTest, program: Program, flowOf: FlowOf, work: Spending): TestName[] {
  const hasParts = [...program.nodes.values()].some(({ type }) => type === "component");
  // Only with components a step can name an element of another flow.
  const trace = hasParts ? traceOf(test, program, flowOf, work) : { steps: [], last: undefined, question: undefined };
  return namesInTest(test, text, program, flowOf, trace);
}

/** An unknown name never matches, so an expectation with it would always hold. */
function unknownNames(names: readonly TestName[], program: Program): TestWarning[] {
  return names.flatMap((each): TestWarning[] => {
    const { nodes, document } = each.program;
    if (each.kind === "node" && !nodes.has(each.name))
      return [notThere(each, "unknown-node", doesNotExist("Node", each.name), nodes.keys())];
    if (each.kind !== "variable" || each.program !== program || document.variable(each.name)) return [];
    if (document.variables.length === 0) return [];
    const declared = document.variables.map(({ name }) => name);
    return [notThere(each, "undefined-variable", `The flow has no context variable "${each.name}".`, declared)];
  });
}

function notThere(
  { name, span }: TestName,
  kind: TestWarning["kind"],
  message: string,
  known: Iterable<string>,
): TestWarning {
  const near = nearest(name, known);
  return near === undefined
    ? { kind, message, span }
    : { kind, message: `${message} Did you mean "${near}"?`, span, near };
}
