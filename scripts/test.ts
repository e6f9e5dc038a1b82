/**
 * Every test, or the parts named: `npm test`, `npm run test:unit`, `test:host`, `test:ui`, `test:editors`, `test:quick`. Words after
 * `--` keep only the files whose path contains one of them. The last line is `N passed, N failed`, and `, N skipped` for
 * what cannot run on this machine, which is named above it. In CI a part that cannot run is a failure; editors may be missing.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { PEER, peerSide } from "../bench/sides";
import { runHostSuite } from "../test/host/run";
import { packAndInstall } from "../test/ui/harness";
import { build } from "./build";
import { installEditors, missingEditors } from "./editors";
import { countLine, type Result, runNodeTests } from "./node-tests";
import { capture, chosenProgram, filesBelow, inProject } from "./project";
import { ensureBrowser, ensureCodeHost, ensurePackage, protocolChecks } from "./vscode/install";

interface Part {
  readonly name: string;
  /** `asked`: the part was named, not run among all. */
  readonly run: (words: readonly string[], asked: boolean) => Promise<Result>;
}

const tsc = "node_modules/typescript/bin/tsc";
const types: Part = { name: "types", run: () => tools([tsc, "-p", "."], [tsc, "-p", "webview"]) };
const lint: Part = { name: "lint", run: () => tools(["node_modules/@biomejs/biome/bin/biome", "check", "."]) };
const house = nodeTests("house", (file) => file.startsWith("test/house/"));
const language = nodeTests("language", (file) => /^test\/(unit\/)?language\//.test(file));
const unit = nodeTests("unit", (file) => file.startsWith("test/unit/") && !file.startsWith("test/unit/language/"));
const security = nodeTests("security", (file) => file.startsWith("test/security/"));
const host: Part = { name: "host", run: hostTests };
const ui: Part = { name: "ui", run: uiTests };
const editors: Part = { name: "editors", run: editorTests };
const peer: Part = { name: "peer", run: peerTests };

/** Two lanes for two cores: what needs the processor, and what mostly waits for VS Code. */
const lanes: readonly (readonly Part[])[] = [
  [peer, types, lint, house, security, language, unit],
  [editors, host, ui],
];
/** For daily work: unit tests by example, without the laws that generators attack and without other programs. */
const examples = nodeTests("unit", (file) => {
  const long = /laws|readers|robustness|simulation|speed|fixes|kill|language\//.test(file);
  const text = () => readFileSync(inProject(file), "utf8");
  return file.startsWith("test/unit/") && !long && !/fast-check|child_process|scripts\/|sandbox|generate/.test(text());
});
const quick = [[types, lint], [examples]];

export async function main(args: readonly string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith("--"));
  const parts = new Set(lanes.flat().map((part) => part.name));
  const chosen = words.filter((word) => parts.has(word));
  const filters = words.filter((word) => !parts.has(word));
  const isQuick = args.includes("--quick");
  if (!isQuick) {
    await build({ quiet: true });
    process.env.ASSISTANT_FLOW_BUILT = "1";
  }
  const results: Result[] = [];
  const runPart = async (part: Part) => {
    const begin = Date.now();
    try {
      const result = await part.run(filters, chosen.includes(part.name));
      const seconds = ((Date.now() - begin) / 1000).toFixed(1);
      if (result.failed > 0) console.log(result.output.trimEnd());
      keep(part.name, result.output);
      const said = `${result.failed > 0 ? "✖" : "✔"} ${part.name}: ${result.passed} ok, ${result.failed} not ok, ${seconds} s`;
      console.log(result.note ? `${said}, ${result.note}` : said);
      results.push(result);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof CannotRun && !process.env.CI) {
        console.log(`- ${part.name}: skipped: ${reason}`);
        results.push({ passed: 0, failed: 0, skipped: 1, output: reason });
      } else {
        console.log(`✖ ${part.name}: ${reason}`);
        results.push({ passed: 0, failed: 1, output: reason });
      }
    }
  };
  const wanted = (isQuick ? quick : lanes).map((lane) =>
    lane.filter((part) => chosen.length === 0 || chosen.includes(part.name)),
  );
  await Promise.all(
    wanted.map(async (lane) => {
      for (const part of lane) await runPart(part);
    }),
  );
  console.log(countLine(results));
  process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
}

/** What a part printed, with how long each test took, for whoever wants to look. */
function keep(name: string, output: string): void {
  mkdirSync(inProject("test/out"), { recursive: true });
  writeFileSync(inProject(`test/out/${name}.log`), output);
}

/** The machine lacks what a part needs. */
class CannotRun extends Error {}

/** Programs of packages, each a test of its own. */
async function tools(...commands: readonly string[][]): Promise<Result> {
  const runs = await Promise.all(commands.map((command) => capture(process.execPath, command)));
  const failed = runs.filter((run) => run.code !== 0);
  return {
    passed: runs.length - failed.length,
    failed: failed.length,
    output: failed.map((run) => run.output).join("\n"),
  };
}

/** Test files run by node:test. */
function nodeTests(name: string, belongs: (file: string) => boolean): Part {
  return { name, run: (words) => nodeTest(belongs, words) };
}

function nodeTest(
  belongs: (file: string) => boolean,
  words: readonly string[],
  options?: readonly string[],
): Promise<Result> {
  const files = filesBelow("test", ".test.ts").filter(
    (file) => belongs(file.replaceAll("\\", "/")) && (words.length === 0 || words.some((word) => file.includes(word))),
  );
  return runNodeTests(files, options);
}

/** What a part needs and cannot have keeps it from running; that is no fault of what it tests. */
function need<Thing>(had: Promise<Thing>): Promise<Thing> {
  return had.catch((error: Error) => {
    throw new CannotRun(error.message);
  });
}

/** Programs of others, fetched as VS Code is: a language server to be faster than, the checks of the agents' protocol. */
async function peerTests(words: readonly string[]): Promise<Result> {
  await need(Promise.all([peerSide(), protocolChecks()]));
  return nodeTest((file) => file.startsWith("test/peer/"), words, ["--test-concurrency=1"]);
}

/** Other editors are run where they are; asked for by name they are first installed, where that can be done. */
async function editorTests(words: readonly string[], asked: boolean): Promise<Result> {
  if (asked) await installEditors();
  const missing = await missingEditors();
  const result = await nodeTest((file) => file.startsWith("test/editors/"), words, ["--test-concurrency=1"]);
  return missing.length > 0 ? { ...result, note: `skipped, not on this machine: ${missing.join(", ")}` } : result;
}

async function hostAndBrowser(): Promise<void> {
  await ensureCodeHost();
  await ensureBrowser();
}

async function hostTests(words: readonly string[]): Promise<Result> {
  if (!chosenProgram("VSCODE_EXECUTABLE")) await need(hostAndBrowser());
  await need(ensurePackage(PEER.name, PEER.version));
  const { host: note, ...result } = await runHostSuite(words);
  return { ...result, note };
}

async function uiTests(words: readonly string[]): Promise<Result> {
  await need(hostAndBrowser());
  const extensions = inProject("test/out/extensions");
  await packAndInstall(extensions);
  process.env.ASSISTANT_FLOW_TEST_EXTENSIONS = extensions;
  const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1));
  return nodeTest((file) => file.startsWith("test/ui/"), words, [`--test-concurrency=${concurrency}`]);
}
