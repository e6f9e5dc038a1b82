/**
 * Runs all tests, or the named groups: `npm test`, `npm run test:unit`, `test:host`, `test:ui`, `test:editors`,
 * `test:quick`, `test:long`. Words after `--` select the files whose path contains one of them. The last lines show
 * where the time went, and the very last one is `N passed, N failed`, followed by `, N skipped` for what can't run on
 * this machine and is named above it. In CI a group that can't run is a failure; editors may be missing.
 */
import { readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { PEER, peerSide } from "../bench/sides";
import type { HostResults } from "../test/host/place";
import { runHostSuite } from "../test/host/run";
import { runWebSuite } from "../test/host/web/run";
import { closeBrowsers, withBrowser } from "../test/ui/browsers";
import { packAndInstall } from "../test/ui/harness";
import { ensureBuilt } from "./build";
import { installEditors, missingEditors } from "./editors";
import { bundleTests, countLine, type Result } from "./node-tests";
import { capture, chosenProgram, filesBelow, inProject, stopAll } from "./project";
import { CannotRun, type Job, type JobGroup, reportTimes, runJobs, secondsSince } from "./test-jobs";
import { ensureBrowser, ensureCodeHost, ensurePackage, protocolChecks } from "./vscode/install";

interface Part extends JobGroup {
  /** Whether a test file belongs to the group. Each file runs in its own process. */
  readonly files?: (file: string) => boolean;
  /** Adds what a file's run needs to its environment. */
  readonly during?: (run: (env: Readonly<Record<string, string>>) => Promise<Result>) => Promise<Result>;
  /** Checks other than test files, by name. They get the words that select files. */
  readonly checks?: Readonly<Record<string, (words: readonly string[]) => Promise<Result>>>;
}

const tsc = "node_modules/typescript/bin/tsc";
const types: Part = { name: "types", checks: { product: tool(tsc, "-p", "."), pages: tool(tsc, "-p", "webview") } };
const lint: Part = { name: "lint", checks: { biome: tool("node_modules/@biomejs/biome/bin/biome", "check", ".") } };
const house: Part = { name: "house", files: below("test/house/") };
const language: Part = { name: "language", files: (file) => /^test\/(unit\/)?language\//.test(file) };
const unit: Part = { name: "unit", files: (file) => below("test/unit/")(file) && !language.files?.(file) };
const security: Part = { name: "security", files: below("test/security/") };
const peer: Part = { name: "peer", files: below("test/peer/"), prepare: preparePeer, atOnce: 1 };
const host: Part = {
  name: "host",
  checks: { "extension host": hostSuite(runHostSuite), "web worker": hostSuite(runWebSuite) },
  prepare: prepareHost,
};
const ui: Part = {
  name: "ui",
  files: below("test/ui/"),
  prepare: prepareUi,
  during: withBrowser,
  // One slot is left for other jobs, which use the processor while these wait. Each needs about 1.5 GB.
  atOnce: Math.min(availableParallelism() + 1, 4),
};
const editors: Part = { name: "editors", files: below("test/editors/"), prepare: prepareEditors, atOnce: 1 };

/** The slowest first, so that short jobs at the end keep all processors busy. */
const all: readonly Part[] = [host, ui, peer, editors, house, security, language, unit, types, lint];

/** For daily work: unit tests with examples, without property tests and without other programs. */
const examples: Part = {
  name: "unit",
  files: (file) => {
    const long = /laws|readers|robustness|simulation|speed|fixes|kill|language\//.test(file);
    const text = () => readFileSync(inProject(file), "utf8");
    return below("test/unit/")(file) && !long && !/fast-check|child_process|scripts\/|sandbox|generate/.test(text());
  },
};
const quick: readonly Part[] = [types, lint, examples];

export async function main(args: readonly string[]): Promise<void> {
  const begin = Date.now();
  const words = args.filter((arg) => !arg.startsWith("--"));
  const asked = all.map(({ name }) => name).filter((name) => words.includes(name));
  const filters = words.filter((word) => !asked.includes(word));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(130)));
  if (args.includes("--long")) process.env.ASSISTANT_FLOW_TEST_LONG = "1";
  const isQuick = args.includes("--quick");
  if (!isQuick) {
    await ensureBuilt();
    process.env.ASSISTANT_FLOW_BUILT = "1";
  }
  const parts = (isQuick ? quick : all).filter(({ name }) => asked.length === 0 || asked.includes(name));
  const done = await runJobs(await jobsOf(parts, filters), asked).finally(closeBrowsers);
  reportTimes(done, secondsSince(begin));
  console.log(countLine(done));
  process.exitCode = done.some(({ failed }) => failed > 0) ? 1 : 0;
}

async function jobsOf(parts: readonly Part[], words: readonly string[]): Promise<readonly Job[]> {
  const isChosen = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
  const size = (file: string) => statSync(inProject(file)).size;
  const files = filesBelow("test", ".test.ts")
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => isChosen(file) && parts.some((part) => part.files?.(file)))
    // The duration of a file isn't known in advance, but its length is a good estimate.
    .sort((a, b) => size(b) - size(a));
  const runFile = await bundleTests(files);
  return parts.flatMap((group) => [
    ...Object.entries(group.checks ?? {}).map(([name, check]) => ({ group, name, run: () => check(words) })),
    ...files
      .filter((file) => group.files?.(file))
      .map((file) => ({ group, name: file, run: () => (group.during ?? alone)((env) => runFile(file, env)) })),
  ]);
}

const alone: NonNullable<Part["during"]> = (run) => run({});

function below(folder: string): (file: string) => boolean {
  return (file) => file.startsWith(folder);
}

/** A program of a package that checks the project. */
function tool(...command: readonly string[]): () => Promise<Result> {
  return async () => {
    const { code, output } = await capture(process.execPath, command);
    return code === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output };
  };
}

/** Turns a failed preparation of a group into a reason to skip it: the tested code isn't at fault. */
function need<Thing>(thing: Promise<Thing>): Promise<Thing> {
  return thing.catch((error: Error) => {
    throw new CannotRun(error.message);
  });
}

/** Other projects' programs: a language server to compare with, and the conformance checks of MCP. */
async function preparePeer(): Promise<undefined> {
  await need(Promise.all([peerSide(), protocolChecks()]));
}

/** Other editors are tested if they are installed. If this group is named, they are installed first where possible. */
async function prepareEditors(isAsked: boolean): Promise<string | undefined> {
  if (isAsked) await installEditors();
  const missing = await missingEditors();
  return missing.length > 0 ? `skipped, not on this machine: ${missing.join(", ")}` : undefined;
}

async function hostAndBrowser(): Promise<void> {
  await ensureCodeHost();
  await ensureBrowser();
}

async function prepareHost(): Promise<undefined> {
  if (!chosenProgram("VSCODE_EXECUTABLE")) await need(hostAndBrowser());
  await need(ensurePackage(PEER.name, PEER.version));
}

function hostSuite(run: (words: readonly string[]) => Promise<HostResults>) {
  return async (words: readonly string[]): Promise<Result> => {
    const { host, ...result } = await run(words);
    return { ...result, output: `${host}\n${result.output}` };
  };
}

async function prepareUi(): Promise<undefined> {
  await need(hostAndBrowser());
  const extensions = inProject("test/out/extensions");
  process.env.ASSISTANT_FLOW_TEST_VSIX = await packAndInstall(extensions);
  process.env.ASSISTANT_FLOW_TEST_EXTENSIONS = extensions;
}
