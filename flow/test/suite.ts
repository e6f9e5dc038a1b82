/** Runs test files together, and creates the machine-readable report. The editor and the command line share both. */
import type { FlowDocument } from "../document";
import { notAFlow } from "../file-kind";
import type { FlowOf } from "../run/machine";
import type { Program } from "../run/program";
import { SharedWork } from "../run/work";
import { unreadIn, whyNoRun } from "../unread";
import { type Coverage, coverageOf } from "./coverage";
import type { Failure, FailureKind } from "./failure";
import { type FlowTest, positionsIn, type TestFile, type TestProblem } from "./file/test-file";
import { runTest, type TestResult } from "./runner";
import { duplicateNames, type TestWarning, warningsOf } from "./warnings";

/** A test file with its flow. Paths are for display: relative to the working folder, with slashes. */
export interface SuiteFile {
  readonly path: string;
  readonly file: TestFile;
  /** The path of its flow, and the flow if it could be read. */
  readonly flowPath: string | undefined;
  readonly flow: Program | undefined;
}

export interface FileRun extends SuiteFile {
  /** Why none of its tests could be run. */
  readonly problem: TestProblem | undefined;
  readonly results: readonly TestResult[];
  /** Parts of the tests without effect. */
  readonly warnings: readonly SuiteWarning[];
}

export interface SuiteWarning extends TestWarning {
  readonly test: FlowTest;
}

/** Selects tests of a file, by their index too. */
export type IsWanted = (test: FlowTest, index: number) => boolean;

/** The files of one request or command share one `work`. */
export function runSuiteFile(
  each: SuiteFile,
  flowOf: FlowOf,
  work: SharedWork = new SharedWork(),
  isWanted?: IsWanted,
): FileRun {
  const runs = runsOf(each, flowOf, work, isWanted);
  for (;;) {
    const { done, value } = runs.next();
    if (done) return value;
  }
}

/** Runs the tests of a file, and yields after each, so that the caller can do other work. */
export function* runsOf(
  each: SuiteFile,
  flowOf: FlowOf,
  work: SharedWork,
  isWanted: IsWanted = () => true,
): Generator<void, FileRun, void> {
  const { file, flow, flowPath } = each;
  const problem = file.problems[0] ?? (flow ? whyNoRuns(file, flow, flowPath) : noFlow(file, flowPath));
  if (problem || !flow) return { ...each, problem, results: [], warnings: [] };
  const results: TestResult[] = [];
  const wanted = new Set(file.tests.filter(isWanted));
  const warnings: SuiteWarning[] = duplicateNames(file).filter(({ test }) => wanted.has(test));
  let at = 0;
  for (const cases of testsWithCases(file.tests)) {
    const run: TestResult[] = [];
    for (const test of cases) {
      if (!isWanted(test, at++)) continue;
      run.push(runTest(test, flow, flowOf, work.forTest()));
      yield;
    }
    for (const each of run) results.push(each);
    const [test] = run.flatMap((result) => (result.status === "skipped" ? [] : result.test));
    // A shared part may be used by a case that wasn't run.
    if (test && run.length === cases.length)
      for (const each of warningsOf(file.text, run, flow, flowOf, work).map((warning) => ({ ...warning, test })))
        warnings.push(each);
  }
  return { ...each, problem: undefined, results, warnings };
}

/** The cases of each test, or the test alone. */
export function testsWithCases(tests: readonly FlowTest[]): (readonly FlowTest[])[] {
  const groups: FlowTest[][] = [];
  for (const test of tests)
    if (test.case && test.case.index > 0) groups.at(-1)?.push(test);
    else groups.push([test]);
  return groups;
}

function noFlow({ flow }: TestFile, path: string | undefined): TestProblem {
  const span = flow?.span ?? { start: 0, end: 0 };
  const name = path || (flow?.value ?? "");
  const message = notAFlow(name) ?? `There's no flow file "${name}". \`flow\` is relative to the test file.`;
  return { message, span };
}

/**
 * Why the flow can't run. With syntax errors, the results would be unreliable: a run may reach a part that couldn't be
 * parsed.
 */
export function whyNoRuns({ flow }: TestFile, { document, entry }: Program, path?: string): TestProblem | undefined {
  if (entry && !unreadIn(document)) return undefined;
  return { message: `"${path ?? flow?.value ?? ""}" ${whyNoRun(document)}`, span: flow?.span ?? { start: 0, end: 0 } };
}

export interface TestReport {
  readonly tests: readonly ReportedTest[];
  readonly coverage?: readonly (Coverage & { readonly flow: string })[];
}

export interface ReportedTest {
  readonly file: string;
  readonly flow?: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
  readonly skipped?: string;
  readonly tags?: readonly string[];
  readonly path: readonly string[];
  readonly edges: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ended?: { readonly kind: string; readonly node: string };
  readonly failures: readonly ReportedFailure[];
  /** Parts without effect; with cases, at the first of them. */
  readonly warnings?: readonly ReportedWarning[];
}

export interface ReportedWarning extends ReportedPlace {
  readonly kind: TestWarning["kind"];
  readonly message: string;
}

/** Lines and columns are 1-based. */
export interface ReportedFailure extends ReportedPlace {
  readonly kind: FailureKind;
  readonly message: string;
  /** The place in the flow. */
  readonly at?: ReportedPlace;
}

export interface ReportedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `pathOf` names the file of a flow, for failures inside components. */
export function reportOf(
  runs: readonly FileRun[],
  pathOf: (document: FlowDocument) => string | undefined,
  withCoverage: boolean,
): TestReport {
  const tests = runs.flatMap((run) => reportedTests(run, pathOf));
  return withCoverage ? { tests, coverage: coverageOfRuns(runs) } : { tests };
}

function reportedTests(run: FileRun, pathOf: (document: FlowDocument) => string | undefined): ReportedTest[] {
  const position = positionsIn(run.file.text);
  const place = (offset: number): ReportedPlace => {
    const { line, character } = position(offset);
    return { file: run.path, line: line + 1, column: character + 1 };
  };
  const flow = run.flowPath === undefined ? {} : { flow: run.flowPath };
  if (run.problem) {
    const { message, span } = run.problem;
    const failures: ReportedFailure[] = [{ kind: "bad-test", message, ...place(span.start) }];
    return [{ file: run.path, ...flow, name: "", status: "failed", path: [], edges: [], variables: {}, failures }];
  }
  const reported = ({ kind, message, span, at }: Failure): ReportedFailure => {
    const file = at && (pathOf(at.document) ?? run.flowPath);
    const inFlow = at?.document.positionAt(at.span.start);
    return {
      kind,
      message,
      ...place(span.start),
      ...(inFlow && file !== undefined ? { at: { file, line: inFlow.line + 1, column: inFlow.character + 1 } } : {}),
    };
  };
  return run.results.map(({ test, status, path, edges, variables, ended, failures }) => {
    const own = run.warnings.filter((warning) => warning.test === test);
    const warnings = own.map(({ kind, message, span }) => ({ kind, message, ...place(span.start) }));
    return {
      file: run.path,
      ...flow,
      name: test.name,
      status,
      ...(status === "skipped" && test.skip ? { skipped: test.skip.value } : {}),
      ...(test.tags.length > 0 ? { tags: test.tags.map(({ value }) => value) } : {}),
      path,
      edges,
      variables: Object.fromEntries(variables),
      ...(ended ? { ended } : {}),
      failures: failures.map(reported),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  });
}

/** One entry for each flow that a test file names. */
export function coverageOfRuns(runs: readonly FileRun[]): (Coverage & { readonly flow: string })[] {
  const byFlow = new Map<string, { program: Program; results: TestResult[] }>();
  for (const { flow, flowPath, results } of runs) {
    if (!flow || flowPath === undefined) continue;
    const known = byFlow.get(flowPath);
    if (known) for (const each of results) known.results.push(each);
    else byFlow.set(flowPath, { program: flow, results: [...results] });
  }
  return [...byFlow].map(([flow, { program, results }]) => ({ flow, ...coverageOf(program, results) }));
}
