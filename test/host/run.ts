/**
 * Runs every `*.test.ts` of this folder inside the extension host of a real VS Code: a desktop one
 * (`VSCODE_EXECUTABLE=<its program>`, or `VSCODE_EXECUTABLE=download` to fetch it), else the one made of npm packages.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import { build } from "esbuild";
import { PEER } from "../../bench/sides";
import { chosenProgram, filesBelow, inProject, root, temporaryFolder } from "../../scripts/project";
import { sandboxExists, startSandbox } from "../../scripts/sandbox";
import { ensureCodeHost, ensurePackage } from "../../scripts/vscode/install";
import { CRASHED } from "./npm-code";

export interface HostResults {
  readonly host: string;
  readonly passed: number;
  readonly failed: number;
  /** Which tests ran, and what went wrong. */
  readonly output: string;
}

/**
 * Only the files whose path contains one of the words, if any are given. A browser whose page crashes says nothing about
 * the extension: the suite is begun again, once.
 */
export async function runHostSuite(words: readonly string[] = []): Promise<HostResults> {
  return (await runOnce(words)) ?? (await runOnce(words)) ?? { host: "", passed: 0, failed: 1, output: CRASH };
}

const CRASH = "✖ the browser's page crashed";

async function runOnce(words: readonly string[]): Promise<HostResults | undefined> {
  const suite = await bundleSuite(words);
  const folder = await temporaryFolder();
  const results = inProject("test/out/host/results.json");
  await rm(results, { force: true });
  await cp(inProject("examples"), path.join(folder.path, "examples"), { recursive: true });
  const chosen = chosenProgram("VSCODE_EXECUTABLE");
  if (!chosen) await ensureCodeHost();
  const yaml = await ensurePackage(PEER.name, PEER.version);
  const sandbox = sandboxExists() ? await startSandbox() : undefined;
  try {
    const code = await runTests({
      vscodeExecutablePath: chosen === "download" ? undefined : (chosen ?? inProject("test/host/npm-code.mjs")),
      extensionDevelopmentPath: [root, inProject("test/host/network-watch")],
      extensionTestsPath: suite,
      launchArgs: [path.join(folder.path, "examples"), "--disable-extensions"],
      extensionTestsEnv: {
        ...sandbox?.env,
        ASSISTANT_FLOW_STATE_DIR: path.join(folder.path, "state"),
        ASSISTANT_FLOW_TEST_RESULTS: results,
        ASSISTANT_FLOW_TEST_YAML_SERVER: path.join(yaml, "node_modules", PEER.name, "bin", PEER.name),
      },
    }).catch((error: Error) => {
      const code = /Test run failed with code (\d+)/.exec(error.message)?.[1];
      if (code === undefined) throw error;
      return Number(code); // Failed tests are in the results.
    });
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

async function bundleSuite(words: readonly string[]): Promise<string> {
  const chosen = filesBelow("test/host", ".test.ts").filter(
    (file) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  const outfile = inProject("test/out/host/suite.js");
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    stdin: {
      contents: [...chosen.map((file) => `import "./${file}";`), 'export { run } from "./test/host/suite";'].join("\n"),
      resolveDir: root,
      loader: "ts",
    },
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
