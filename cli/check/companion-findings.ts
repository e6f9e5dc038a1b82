/** Findings of test and policy files, identical to those of the language server. */
import path from "node:path";
import { FileScope } from "../../files";
import {
  type CompanionProblem,
  type LoadedSuite,
  type PolicyFlow,
  problemsOfFile,
  problemsOfPolicy,
  problemsOfProject,
  problemsOfTest,
  problemsWithoutRuns,
  Suite,
  unreadablePolicies,
} from "../../files/suite";
import { FlowDocument, fileKind, type Position, type Span } from "../../flow";
import { FlowPolicies, readPolicyFile } from "../../flow/policy";
import { readProjectFile } from "../../flow/project";
import { programOf } from "../../flow/run";
import { positionsIn, readTestFile, testsWithCases } from "../../flow/test";
import { KnownTools } from "../../flow/tools";
import { type FlowFile, findFiles, type NamedFile, readSource, withText } from "../files/flow-files";
import { diskReader } from "../tests/load";
import type { CheckContext } from "./check-context";
import { type CheckedFile, type CheckOptions, checkFile, type FoundIn, type OtherFiles, type Range } from "./findings";
import { type PolicyFiles, pathFrom } from "./policy-files";

/** Reads a file for `checkAny`. `ToolSnapshots` reads the tool definitions, and reports those that can't be read. */
export async function readToCheck(file: NamedFile, cwd: string): Promise<FlowFile> {
  return fileKind(file.absolute) === "tools" ? { ...file, text: "" } : withText(file, cwd);
}

interface Problems {
  readonly problems: readonly CompanionProblem[];
  /** The displayed path of a flow. */
  readonly pathOf?: LoadedSuite["pathOf"];
}

/** Checks a file of any kind, read by `readToCheck`. */
export async function checkAny(
  file: FlowFile,
  options: CheckOptions,
  context: CheckContext,
  others?: OtherFiles,
): Promise<CheckedFile> {
  const kind = fileKind(file.absolute);
  if (kind === "flow" || kind === undefined) return checkFile(file, options, context, others);
  if (kind === "tools") return checkSnapshot(file, context);
  const { problems, pathOf } =
    kind === "test"
      ? await problemsOfTests(file, options, context)
      : kind === "project"
        ? { problems: problemsOfProject(readProjectFile(file.text)) }
        : { problems: await problemsOfPolicies(file, options, context.policies) };
  const positionOf = positionsIn(file.text);
  return {
    file: { path: file.path, absolute: file.absolute },
    findings: problems.map((problem) => {
      const finding = findingOf(problem, file.text, positionOf, options, pathOf);
      // A line of a project file may have a password or a key in it, which must not get into the log of a build.
      return kind === "project" && finding.details
        ? { ...finding, details: { ...finding.details, line: "" } }
        : finding;
    }),
  };
}

/** A snapshot of tool definitions, which has one finding if it can't be used. */
export async function checkSnapshot(
  { path, absolute }: NamedFile,
  { tools }: Pick<CheckContext, "tools">,
): Promise<CheckedFile> {
  const message = await tools.problemOf(absolute);
  const start = { line: 0, character: 0 };
  const finding = {
    source: "assistant-flow",
    code: "bad-tools",
    severity: "error",
    range: { start, end: start },
  } as const;
  return { file: { path, absolute }, findings: message === undefined ? [] : [{ ...finding, message }] };
}

async function problemsOfTests(
  { absolute, text }: FlowFile,
  options: CheckOptions,
  { policies, tools }: CheckContext,
): Promise<Problems> {
  const file = readTestFile(text);
  const suite = new Suite(options.cwd, diskReader(options.cwd), new FileScope(options.folders, options.cwd));
  await suite.add(absolute, file);
  const { files, flowOf, pathOf } = await suite.loaded();
  const program = files[0]?.flow;
  const withoutRuns = problemsWithoutRuns(file, program);
  if (withoutRuns || !program) return { problems: [...problemsOfFile(file), ...(withoutRuns ?? [])] };
  const flow = Suite.flowPath(absolute, file) ?? absolute;
  const definitions = await tools.definitionsFor(flow);
  const known = definitions && new KnownTools([definitions], await suite.environmentsOf(flow));
  const found = testsWithCases(file.tests).flatMap((cases) =>
    problemsOfTest(text, cases, program, flowOf, policies.work, known),
  );
  return { problems: [...problemsOfFile(file), ...found], pathOf };
}

async function problemsOfPolicies(
  { absolute, text }: FlowFile,
  { cwd }: CheckOptions,
  policies: PolicyFiles,
): Promise<CompanionProblem[]> {
  const file = readPolicyFile(text);
  const flows: PolicyFlow[] = [];
  for (const flow of await findFiles([path.dirname(absolute)], cwd, ["flow"], "silent")) {
    if ((await policies.of(flow)) !== absolute) continue;
    const own = await readSource(flow, cwd).catch(() => undefined);
    if (own === undefined) continue;
    const program = programOf(FlowDocument.read(own));
    const judged = new FlowPolicies(program.document, await policies.componentsOf(flow, program));
    flows.push({ uri: flow, path: pathFrom(absolute, flow), program, judged });
  }
  const context = { text, file, flows };
  return [
    ...unreadablePolicies(file.problems),
    ...file.policies.flatMap((policy) => problemsOfPolicy(policy, context)),
  ];
}

function findingOf(
  { code, severity, message, span, related, fixes }: CompanionProblem,
  text: string,
  positionOf: (offset: number) => Position,
  { details }: CheckOptions,
  pathOf: Problems["pathOf"],
): FoundIn {
  const range = (at: Span): Range => ({ start: positionOf(at.start), end: positionOf(at.end) });
  const places = related.flatMap(({ message, document, span: { start, end } }) => {
    const at = pathOf?.(document);
    const there = { start: document.positionAt(start), end: document.positionAt(end) };
    return at === undefined ? [] : [{ message, path: at, range: there }];
  });
  const finding = {
    source: "assistant-flow" as const,
    code,
    severity,
    message,
    range: range(span),
    ...(places.length > 0 ? { related: places } : {}),
  };
  if (details === "none" || (details === "errors" && severity !== "error")) return finding;
  const start = text.lastIndexOf("\n", span.start - 1) + 1;
  const end = text.indexOf("\n", span.start);
  const fix = fixes()[0];
  return {
    ...finding,
    details: {
      line: text.slice(start, end < 0 ? undefined : end),
      fix: fix && {
        title: fix.title,
        preferred: false,
        changes: fix.edits.map((edit) => ({ range: range(edit), text: edit.text })),
      },
    },
  };
}
