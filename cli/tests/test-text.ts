/** Test results as text: each failure with its location, the path of the run, and a fix. */

import {
  type Failure,
  type FileRun,
  positionsIn,
  type SuiteWarning,
  shownPath,
  type TestResult,
} from "../../flow/test";
import { visibleLine } from "../../text";
import { frame, isUnparsed } from "../report/check-text";
import { count, painter } from "../terminal";
import { type CoverageTotals, percent, type TestFacts } from "./facts";

type Paint = ReturnType<typeof painter>;

interface ReportContext extends TestFacts {
  readonly sources: Sources;
}

export function textResults(runs: readonly FileRun[], given: TestFacts): string {
  const facts: ReportContext = { ...given, sources: new Sources() };
  const paint = painter(facts);
  const blocks = runs.flatMap((run) => {
    const failed = run.results.filter(({ status }) => status === "failed");
    if (run.problem) {
      const { message, span } = run.problem;
      return [
        `${paint("FAIL", "red")} ${run.path}`,
        ...failureLines({ kind: "bad-test", message, span }, run, facts, paint),
        "",
      ];
    }
    // All tests of this file are filtered out.
    if (run.results.length === 0 && run.file.tests.length > 0) return [];
    const skipped = run.results.filter(({ status }) => status === "skipped");
    const also = [
      ...skipped.map(({ test }) => skippedLine(test.name, test.skip?.value ?? "", paint)),
      ...run.warnings.flatMap((warning) => warningLines(warning, run, facts, paint)),
    ];
    if (failed.length === 0)
      return [`${paint("PASS", "green")} ${run.path}  ${paint(count(run.results.length, "test"), "dim")}`, ...also];
    return [
      `${paint("FAIL", "red")} ${run.path}`,
      ...failed.flatMap((result) => resultLines(result, run, facts, paint)),
      ...also,
    ];
  });
  const coverage = facts.coverage ? coverageLines(facts.coverage, paint) : [];
  return `${[...blocks, ...coverage, "", summary(runs, paint), ...facts.missed, ""].join("\n")}`;
}

function resultLines(result: TestResult, run: FileRun, facts: ReportContext, paint: Paint): string[] {
  const lines = ["", `  ${paint("✗", "red")} ${paint(visibleLine(result.test.name), "bold")}`];
  for (const line of result.failures.flatMap((failure) => failureLines(failure, run, facts, paint))) lines.push(line);
  // A message about the path contains it.
  const isShown = result.failures.some(({ kind }) => kind === "wrong-path");
  if (result.path.length > 0 && !isShown)
    lines.push(`    ${paint("path:", "dim")} ${visibleLine(shownPath(result.path))}`);
  return [...lines, ""];
}

function skippedLine(name: string, reason: string, paint: Paint): string {
  return `  ${paint("skipped", "yellow")} ${visibleLine(name)}: ${visibleLine(reason)}`;
}

function warningLines(
  { test, kind, message, span }: SuiteWarning,
  run: FileRun,
  facts: ReportContext,
  paint: Paint,
): string[] {
  const source = facts.sources.of(run.path, () => run.file.text);
  const { line, character } = source.position(span.start);
  const where = paint(`${visibleLine(source.path)}:${line + 1}:${character + 1}`, "cyan");
  return [
    `  ${paint("warning", "yellow")} ${visibleLine(test.name)}: ${visibleLine(message)}  ${paint(kind, "dim")}`,
    `      ${where}`,
  ];
}

function failureLines(failure: Failure, run: FileRun, facts: ReportContext, paint: Paint): string[] {
  const { kind, message, span, at, fix } = failure;
  const flow = at && (facts.pathOf(at.document) ?? run.flowPath);
  const inFlow = at && flow !== undefined ? facts.sources.of(flow, () => at.document.text) : undefined;
  const inTests = facts.sources.of(run.path, () => run.file.text);
  return [
    `    ${visibleLine(message)}  ${paint(kind, "dim")}`,
    ...place(inTests, span, kind, paint),
    ...(at && inFlow ? place(inFlow, at.span, kind, paint) : []),
    ...(fix ? [`    ${paint("fix:", "green")} ${visibleLine(fix.title)}`] : []),
  ];
}

function place(source: Source, span: { start: number; end: number }, code: string, paint: Paint): string[] {
  const range = { start: source.position(span.start), end: source.position(span.end) };
  const where = `${visibleLine(source.path)}:${range.start.line + 1}:${range.start.character + 1}`;
  const shown = frame(source.lines[range.start.line], { range, severity: "error" }, !isUnparsed(code), paint);
  return [`      ${paint(where, "cyan")}`, ...shown.map((each) => `      ${each}`)];
}

/** A source file that failures refer to. Cached, because a long file may have thousands of failures. */
interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  readonly position: ReturnType<typeof positionsIn>;
}

class Sources {
  readonly #known = new Map<string, Source>();

  of(path: string, text: () => string): Source {
    let source = this.#known.get(path);
    if (!source) {
      const whole = text();
      source = { path, lines: whole.split(/\r\n?|\n/), position: positionsIn(whole) };
      this.#known.set(path, source);
    }
    return source;
  }
}

function coverageLines(totals: CoverageTotals, paint: Paint): string[] {
  const lines = ["", paint("Coverage", "bold")];
  for (const { flow, nodes, edges } of totals.flows) {
    const share = (cover: typeof nodes) =>
      `${cover.covered.length}/${cover.covered.length + cover.missing.length} (${percent(cover)}%)`;
    lines.push(`  ${visibleLine(flow)}  nodes ${share(nodes)}, edges ${share(edges)}`);
    const named = (title: string, ids: readonly string[]) => {
      if (ids.length > 0) lines.push(`    ${title}: ${visibleLine(ids.join(", "))}`);
    };
    named("missing nodes", nodes.missing);
    named("missing edges", edges.missing);
    named("unreachable", [...nodes.unreachable, ...edges.unreachable]);
  }
  return lines;
}

function summary(runs: readonly FileRun[], paint: Paint): string {
  const results = runs.flatMap((run) => run.results);
  const unreadable = runs.filter((run) => run.problem).length;
  const failed = results.filter(({ status }) => status === "failed").length;
  const skipped = results.filter(({ status }) => status === "skipped").length;
  const parts = [
    `${results.length - failed - skipped} passed`,
    failed > 0 && paint(`${failed} failed`, "red"),
    skipped > 0 && paint(`${skipped} skipped`, "yellow"),
    unreadable > 0 && paint(`${count(unreadable, "file")} not run`, "red"),
  ].filter(Boolean);
  return `${count(results.length, "test")}: ${parts.join(", ")}. Tests run offline, without a model.`;
}
