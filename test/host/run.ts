/**
 * Runs every `*.test.ts` of this folder in the extension host of a real VS Code: a desktop VS Code
 * (`VSCODE_EXECUTABLE=<its program>`, or `VSCODE_EXECUTABLE=download` to fetch it), or by default the one from npm
 * packages.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import { build, type StdinOptions } from "esbuild";
import { PEER } from "../../bench/sides";
import { chosenProgram, filesBelow, inProject, root, start, temporaryFolder } from "../../scripts/project";
import { sandboxExists, startSandbox } from "../../scripts/sandbox";
import { ensureCodeHost, ensurePackage } from "../../scripts/vscode/install";
import { CRASHED } from "./npm-code";
import type { HostResults } from "./place";

/** Tests in this folder run in a window without flows. */
const WITHOUT_FLOWS = path.join("test", "host", "without-flows");

/**
 * With arguments, runs only the files whose path contains one of them. A crash of the browser's page isn't the
 * extension's fault, so the suite is then started again, once.
 */
export async function runHostSuite(words: readonly string[] = []): Promise<HostResults> {
  const chosen = filesBelow("test/host", ".test.ts").filter(
    (file) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  const isApart = (file: string) => file.startsWith(WITHOUT_FLOWS);
  const results = [];
  for (const files of [chosen.filter((file) => !isApart(file)), chosen.filter(isApart)])
    if (files.length > 0) results.push((await runOnce(files)) ?? (await runOnce(files)) ?? CRASH_RESULT);
  return {
    host: results[0]?.host ?? "",
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    output: results.map(({ output }) => output).join("\n"),
  };
}

const CRASH = "✖ the browser's page crashed";
const CRASH_RESULT: HostResults = { host: "", passed: 0, failed: 1, output: CRASH };

async function runOnce(files: readonly string[]): Promise<HostResults | undefined> {
  const suite = await bundleSuite(files);
  const folder = await temporaryFolder();
  const results = inProject("test/out/host/results.json");
  await rm(results, { force: true });
  const workspace = path.join(folder.path, "examples");
  if (files.every((file) => !file.startsWith(WITHOUT_FLOWS)))
    await cp(inProject("examples"), workspace, { recursive: true });
  else mkdirSync(workspace);
  const chosen = chosenProgram("VSCODE_EXECUTABLE");
  if (!chosen) await ensureCodeHost();
  const yaml = await ensurePackage(PEER.name, PEER.version);
  const sandbox = sandboxExists() ? await startSandbox() : undefined;
  const extensions = [root, inProject("test/host/network-watch")];
  const env = {
    ...sandbox?.env,
    ASSISTANT_FLOW_STATE_DIR: path.join(folder.path, "state"),
    ASSISTANT_FLOW_TEST_RESULTS: results,
    ASSISTANT_FLOW_TEST_YAML_SERVER: path.join(yaml, "node_modules", PEER.name, "bin", PEER.name),
  };
  try {
    // Failed tests are in the results.
    const code = chosen
      ? await runDesktop(chosen, { extensions, suite, workspace, env })
      : await runNpmCode({ extensions, suite, workspace, env });
    if (code === CRASHED) {
      console.log(`${CRASH}; the suite is begun again`);
      return undefined;
    }
    return JSON.parse(readFileSync(results, "utf8"));
  } finally {
    await sandbox?.stop();
    await folder.remove();
  }
}

interface HostRun {
  readonly extensions: string[];
  readonly suite: string;
  readonly workspace: string;
  readonly env: Record<string, string>;
}

/** Started with `start`, so that it ends with the run. */
function runNpmCode({ extensions, suite, workspace, env }: HostRun): Promise<number> {
  const paths = [...extensions.map((each) => `--extensionDevelopmentPath=${each}`), `--extensionTestsPath=${suite}`];
  const args = [inProject("test/host/npm-code.mjs"), workspace, ...paths];
  return start(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...env } }).exited;
}

async function runDesktop(program: string, { extensions, suite, workspace, env }: HostRun): Promise<number> {
  try {
    return await runTests({
      vscodeExecutablePath: program === "download" ? undefined : program,
      extensionDevelopmentPath: extensions,
      extensionTestsPath: suite,
      launchArgs: [workspace, "--disable-extensions"],
      extensionTestsEnv: env,
    });
  } catch (error) {
    const code = /Test run failed with code (\d+)/.exec((error as Error).message)?.[1];
    if (code === undefined) throw error;
    return Number(code);
  }
}

/** The entry point of a bundle that runs these files. */
export function suiteOf(files: readonly string[]): StdinOptions {
  const imports = files.map((file) => `import "./${file}";`);
  const contents = [...imports, 'export { run } from "./test/host/suite";'].join("\n");
  return { contents, resolveDir: root, loader: "ts" };
}

async function bundleSuite(files: readonly string[]): Promise<string> {
  const outfile = inProject("test/out/host/suite.js");
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    stdin: suiteOf(files),
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}
