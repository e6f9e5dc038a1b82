/** Test results for programs: JSON, JUnit, GitHub workflow commands, lcov. */

import type { Program } from "../../flow/run";
import { type FileRun, positionsIn, type ReportedPlace, reportOf, type TestReport } from "../../flow/test";
import { data, property } from "../report/github";
import { junitDocument, xml } from "../report/junit";
import { WORKFLOW_COMMAND } from "../terminal";
import type { TestFacts } from "./facts";
import { textResults } from "./test-text";

export type TestReporter = (runs: readonly FileRun[], facts: TestFacts) => string;

export const testReports: Readonly<Record<string, TestReporter>> = {
  text: textResults,
  json: (runs, facts) => `${JSON.stringify(reported(runs, facts))}\n`,
  junit,
  github,
  lcov,
};

function reported(runs: readonly FileRun[], facts: TestFacts): TestReport {
  return reportOf(runs, facts.pathOf, facts.coverage !== undefined);
}

function junit(runs: readonly FileRun[], facts: TestFacts): string {
  const suites = runs.map((run) => {
    const { tests } = reported([run], facts);
    const failed = tests.filter(({ status }) => status === "failed").length;
    const skipped = tests.filter(({ status }) => status === "skipped").length;
    const cases = tests.map(({ name, path, failures, skipped: reason, warnings = [] }) => {
      const head = `    <testcase classname="${xml(run.path)}" name="${xml(name || "read")}"`;
      if (reason !== undefined) return `${head}>\n      <skipped message="${xml(reason)}"/>\n    </testcase>`;
      const messages = warnings.map(({ message, file, line, column }) => `${file}:${line}:${column}: ${message}`);
      const out = messages.length > 0 ? [`      <system-err>${xml(messages.join("\n"))}</system-err>`] : [];
      if (failures.length + out.length === 0) return `${head}/>`;
      const all = failures.map(({ kind, message, file, line, column }) => {
        const words = `${file}:${line}:${column}: ${message}${path.length > 0 ? `\nPath: ${path.join(" → ")}` : ""}`;
        return `      <failure type="${kind}" message="${xml(message)}">${xml(words)}</failure>`;
      });
      return [`${head}>`, ...all, ...out, "    </testcase>"].join("\n");
    });
    const head = `  <testsuite name="${xml(run.path)}" tests="${tests.length}" failures="${failed}" errors="0" skipped="${skipped}">`;
    return [head, ...cases, "  </testsuite>"].join("\n");
  });
  return junitDocument(suites);
}

function github(runs: readonly FileRun[], facts: TestFacts): string {
  const lines = runs.flatMap(skippedNotices);
  const commands = reported(runs, facts).tests.flatMap(({ name, failures, warnings = [] }) => {
    const command = (level: "error" | "warning") => (each: ReportedPlace & { kind: string; message: string }) => {
      const { kind, message, file, line, column } = each;
      const title = name === "" ? kind : `${name} (${kind})`;
      return `${WORKFLOW_COMMAND}${level} file=${property(file)},line=${line},col=${column},title=${property(title)}::${data(message)}`;
    };
    return [...failures.map(command("error")), ...warnings.map(command("warning"))];
  });
  const missed = facts.missed.map((sentence) => `${WORKFLOW_COMMAND}error title=coverage::${data(sentence)}`);
  return [...lines, ...commands, ...missed].map((line) => `${line}\n`).join("");
}

function skippedNotices({ path, file, results }: FileRun): string[] {
  const position = positionsIn(file.text);
  return results.flatMap(({ status, test: { name, skip } }) => {
    if (status !== "skipped" || !skip) return [];
    const { line, character } = position(skip.span.start);
    const place = `file=${property(path)},line=${line + 1},col=${character + 1}`;
    return `${WORKFLOW_COMMAND}notice ${place},title=${property(`${name} (skipped)`)}::${data(skip.value)}`;
  });
}

/** Nodes are reported as lines, and edges as branches. */
function lcov(runs: readonly FileRun[]): string {
  const byFlow = new Map<string, { program: Program; runs: { path: readonly string[]; edges: readonly string[] }[] }>();
  for (const { flow, flowPath, results } of runs) {
    if (!flow || flowPath === undefined) continue;
    const known = byFlow.get(flowPath) ?? { program: flow, runs: [] };
    for (const result of results) known.runs.push(result);
    byFlow.set(flowPath, known);
  }
  return [...byFlow].map(([flow, { program, runs: all }]) => lcovRecord(flow, program, all)).join("");
}

function lcovRecord(
  flow: string,
  { document, nodes }: Program,
  runs: readonly { path: readonly string[]; edges: readonly string[] }[],
): string {
  const hits = new Map<string, number>();
  for (const { path, edges } of runs) for (const id of [...path, ...edges]) hits.set(id, (hits.get(id) ?? 0) + 1);
  const lines = ["TN:", `SF:${flow}`];
  const branches: string[] = [];
  let [hitLines, hitBranches] = [0, 0];
  for (const node of nodes.values()) {
    const count = hits.get(node.id) ?? 0;
    if (count > 0) hitLines++;
    lines.push(`DA:${document.positionOf(node.block).line + 1},${count}`);
    node.edges.forEach((edge, index) => {
      const { line } = document.positionAt(document.absolute(node.block, edge.model.span).start);
      const taken = hits.get(edge.id) ?? 0;
      if (taken > 0) hitBranches++;
      branches.push(`BRDA:${line + 1},0,${index},${count === 0 ? "-" : taken}`);
    });
  }
  const end = [`LF:${nodes.size}`, `LH:${hitLines}`, `BRF:${branches.length}`, `BRH:${hitBranches}`, "end_of_record"];
  return `${[...lines, ...branches, ...end].join("\n")}\n`;
}
