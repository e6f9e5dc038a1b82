/** The `run` tool. A script is parsed as a test, so both have the same semantics. */

import path from "node:path";
import { shownPath } from "../../files";
import { type DocumentCache, Suite } from "../../files/suite";
import type { Program, Question, State } from "../../flow/run";
import { readTestFile, reportOf, runSuiteFile } from "../../flow/test";

export interface ScriptInput {
  readonly file: string;
  readonly given?: object;
  readonly tools?: object;
  readonly steps?: readonly object[];
  readonly expect?: object;
}

export async function runScript(
  { file, given, tools, steps, expect }: ScriptInput,
  flow: Program,
  cwd: string,
  reader: DocumentCache,
): Promise<Record<string, unknown>> {
  const shown = shownPath(path.resolve(cwd, file), cwd);
  const suite = new Suite(cwd, reader);
  await suite.flow(path.resolve(cwd, file));
  const { flowOf, pathOf } = await suite.loaded();
  // JSON is valid YAML, and undefined fields are omitted.
  const script = readTestFile(JSON.stringify({ flow: shown, tests: [{ name: "run", given, tools, steps, expect }] }));
  const run = runSuiteFile({ path: shown, file: script, flowPath: shown, flow }, flowOf);
  const [report] = reportOf([run], pathOf, false).tests;
  const last = run.results[0]?.last;
  return {
    file: shown,
    status: report?.status,
    path: report?.path,
    edges: report?.edges,
    variables: report?.variables,
    ended: report?.ended,
    // A script has no file, so failures have no location.
    failures: report?.failures.map(({ kind, message, at }) => ({ kind, message, at })),
    warnings: report?.warnings?.map(({ kind, message }) => ({ kind, message })),
    asks: report?.ended?.kind === "waiting" && last?.question ? asked(last, last.question) : undefined,
  };
}

function asked({ at }: State, question: Question): Record<string, unknown> {
  switch (question.kind) {
    case "choice": {
      const edges = question.ways.open.map(({ id, to, when, label }) => ({ id, to, when, label }));
      return { kind: "choice", node: at, edges };
    }
    case "value":
      return { kind: "value", node: at, variable: question.variable };
    case "call":
      return { kind: "call", node: at, what: question.what, id: question.id };
  }
}
