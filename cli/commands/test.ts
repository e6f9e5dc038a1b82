/** `assistant-flow test`. */
import path from "node:path";
import { FileRefused, systemReason } from "../../files";
import type { LoadedSuite } from "../../files/suite";
import { isFlowFile, isTestFile } from "../../flow";
import { SharedWork } from "../../flow/run";
import { type FileRun, type FlowTest, runSuiteFile, type SuiteFile } from "../../flow/test";
import { stateDirectory } from "../../platform";
import { EXIT, type Input, Stop } from "../command";
import type { Terminal } from "../terminal";
import { expectSome, hasFailedLast, isWanted } from "../tests/choose";
import { type TestFacts, totalsOf } from "../tests/facts";
import { writeGenerated } from "../tests/generate";
import { keepLastFailed, readLastFailed } from "../tests/last-failed";
import { loadTests } from "../tests/load";
import { testReports } from "../tests/reports";
import { updateExpectations } from "../tests/update";
import { type WatchedRun, watchFiles } from "../watch";

export interface TestFlags {
  readonly format: string;
  readonly coverage?: boolean;
  readonly minNodes?: string;
  readonly minEdges?: string;
  readonly filter?: string;
  readonly tag?: readonly string[];
  readonly lastFailed?: boolean;
  readonly watch?: boolean;
  readonly generate?: string;
  readonly output?: string;
  readonly update?: boolean;
}

export async function run({ args, options, terminal }: Input<TestFlags>): Promise<number> {
  const minimums = { nodes: shareOf("--min-nodes", options.minNodes), edges: shareOf("--min-edges", options.minEdges) };
  if (options.output !== undefined && options.generate === undefined)
    throw new Stop("--output requires --generate.", EXIT.usage);
  if (options.generate !== undefined) return writeGenerated(options.generate, options.output, terminal);
  const once = () => runOnce(args, options, minimums, terminal);
  const isWatched = (name: string) => isTestFile(name) || isFlowFile(name);
  return options.watch ? watchFiles(once, isWatched, terminal) : (await once()).code;
}

type Minimums = Readonly<Record<"nodes" | "edges", number | undefined>>;

async function runOnce(
  args: readonly string[],
  options: TestFlags,
  minimums: Minimums,
  terminal: Terminal,
): Promise<WatchedRun> {
  const suite = await loadTests(args, terminal.cwd);
  const wantedOf = await choice(options, suite.files, terminal);
  const runAll = ({ files, flowOf }: LoadedSuite) => {
    const work = new SharedWork();
    return files.map((file) => runSuiteFile(file, flowOf, work, wantedOf(file)));
  };
  let runs = runAll(suite);
  if (options.update && (await updateExpectations(runs, terminal))) runs = runAll(await loadTests(args, terminal.cwd));
  expectSome(runs, options);
  const isEverything = [...args, options.filter, ...(options.tag ?? []), options.lastFailed].every(
    (each) => each === undefined,
  );
  await saveFailed(runs, isEverything, terminal);
  const withCoverage =
    options.coverage || options.format === "lcov" || minimums.nodes !== undefined || minimums.edges !== undefined;
  const totals = withCoverage ? totalsOf(runs) : undefined;
  const missed = (["nodes", "edges"] as const).flatMap((which) => {
    const minimum = minimums[which];
    if (minimum === undefined || !totals || totals[which] >= minimum) return [];
    return [`Tests cover ${Math.floor(totals[which])}% of the ${which}; the minimum is ${minimum}%.`];
  });
  const facts: TestFacts = {
    color: terminal.color,
    pathOf: suite.pathOf,
    coverage: options.coverage || options.format === "lcov" ? totals : undefined,
    missed,
  };
  terminal.out((testReports[options.format] as (typeof testReports)["text"])(runs, facts));
  if (options.format !== "text" && options.format !== "github") for (const each of missed) terminal.err(`${each}\n`);
  const files = runs.flatMap((each) => [each.path, ...(each.flowPath === undefined ? [] : [each.flowPath])]);
  return {
    code: missed.length > 0 || runs.some(hasFailed) ? EXIT.failed : EXIT.fine,
    folders: [...new Set(files.map((file) => path.dirname(path.resolve(terminal.cwd, file))))],
  };
}

/** Selects the tests to run. If none failed in the last run, all of them run. */
async function choice(
  options: TestFlags,
  files: readonly SuiteFile[],
  terminal: Terminal,
): Promise<(file: SuiteFile) => (test: FlowTest) => boolean> {
  const isAsked = isWanted(options);
  if (!options.lastFailed) return () => isAsked;
  const failed = await readLastFailed(stateDirectory(terminal.env), terminal.cwd);
  const both = ({ path: file }: SuiteFile) => {
    const isFailed = hasFailedLast(failed, file);
    return (test: FlowTest) => isFailed(test) && isAsked(test);
  };
  if (files.some((each) => each.file.tests.some(both(each)))) return both;
  terminal.err("None of these tests failed in the last run; running all of them.\n");
  return () => isAsked;
}

/** The state folder is only needed for --last-failed, so failing to write it isn't fatal. */
async function saveFailed(runs: readonly FileRun[], isEverything: boolean, terminal: Terminal): Promise<void> {
  try {
    await keepLastFailed(stateDirectory(terminal.env), terminal.cwd, runs, isEverything);
  } catch (error) {
    const reason = error instanceof FileRefused ? error.message : systemReason(error);
    if (reason === undefined) throw error;
    terminal.err(`This run wasn't saved for --last-failed: ${reason}\n`);
  }
}

function hasFailed({ problem, results }: FileRun): boolean {
  return problem !== undefined || results.some(({ status }) => status === "failed");
}

function shareOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given.replace(/%$/, ""));
  if (/^\d+(\.\d+)?%?$/.test(given) && number <= 100) return number;
  throw new Stop(`${flag} must be a percentage from 0 to 100.`, EXIT.usage);
}
