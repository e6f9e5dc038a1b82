/**
 * Runs the suite of test/host in the web worker of a VS Code that runs in a browser alone, in one window. left-out.ts
 * lists what can't run there.
 */
import { mkdirSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { format } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { webOptions } from "../../../scripts/bundle/web-build";
import { capture, filesBelow, inProject, root, temporaryFolder } from "../../../scripts/project";
import { startSandbox } from "../../../scripts/sandbox";
import { browserSwitches } from "../../../scripts/vscode/browser";
import { ensureBrowser } from "../../../scripts/vscode/install";
import { drawNothing } from "../../support/calm";
import { startWorkbench, WORKSPACE, WORKSPACE_URI } from "../../support/web-workbench";
import { startProxy } from "../../ui/proxy";
import { FLAWED } from "../flawed";
import type { HostResults } from "../place";
import { suiteOf } from "../run";
import { filesLeftOut, testsLeftOut } from "./left-out";

const SUITE = "test/out/host-web/suite.js";
const START_MS = 180_000;

/** With arguments, runs only the files whose path contains one of them. */
export async function runWebSuite(words: readonly string[] = []): Promise<HostResults> {
  const files = filesBelow("test/host", ".test.ts")
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .filter((file) => !(file.replace("test/host/", "") in filesLeftOut));
  if (files.length === 0) return { host: "", passed: 0, failed: 0, output: "" };
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const folder = await temporaryFolder();
    closing.unshift(folder.remove);
    const flows = path.join(folder.path, WORKSPACE);
    await cp(inProject("examples"), flows, { recursive: true });
    const platform = await startProxy(await startSandbox(), { allowsSites: () => true });
    closing.unshift(platform.sandbox.stop);
    await bundleSuite(files, platform.sandbox.env, await flawedFindings(flows));
    const workbench = await startWorkbench({
      roots: { extension: root, repository: inProject("test/support/web-repository"), files: folder.path },
      extensions: ["repository"],
      tests: { extension: "extension", suite: `extension/${SUITE}` },
    });
    closing.unshift(workbench.stop);
    const browser = await chromium.launch({
      executablePath: await ensureBrowser(),
      args: browserSwitches,
      timeout: START_MS,
    });
    closing.unshift(() => browser.close());
    const permissions = ["clipboard-read", "clipboard-write"];
    const context = await browser.newContext({ permissions, reducedMotion: "reduce" });
    await drawNothing(context);
    const page = await context.newPage();
    const crashed = new Promise<never>((_resolve, reject) =>
      page.once("crash", () => reject(new Error("The browser's page crashed."))),
    );
    const ended = new Promise<void>((resolve) => page.exposeFunction("codeAutomationExit", () => resolve()));
    await page.exposeFunction("codeAutomationLog", (_type: string, parts: unknown[]) => {
      if (process.env.DEBUG) console.log(format(...parts));
    });
    await page.goto(workbench.address(WORKSPACE_URI), { waitUntil: "commit", timeout: START_MS });
    await Promise.race([ended, crashed]);
    return JSON.parse(await readFile(path.join(folder.path, "results.json"), "utf8"));
  } finally {
    for (const close of closing) await close();
  }
}

/** The output of `check` for the flow with findings. A web worker can't run the command itself. */
async function flawedFindings(folder: string): Promise<string> {
  const file = path.join(folder, "flawed.flow.yaml");
  await writeFile(file, FLAWED);
  const args = [inProject("dist/cli.js"), "check", "--format", "json", path.basename(file)];
  return (await capture(process.execPath, args, { cwd: folder })).output;
}

async function bundleSuite(
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
  findings: string,
): Promise<void> {
  const outfile = inProject(SUITE);
  mkdirSync(path.dirname(outfile), { recursive: true });
  const web = webOptions();
  const leftOut = Object.entries(testsLeftOut).filter(([, { file }]) => files.includes(`test/host/${file}`));
  await build({
    ...web,
    stdin: suiteOf(files),
    outfile,
    bundle: true,
    format: "cjs",
    external: ["vscode"],
    define: {
      ...web.define,
      ENVIRONMENT: JSON.stringify(environment),
      FLAWED_FINDINGS: JSON.stringify(findings),
      LEFT_OUT: JSON.stringify(leftOut.map(([name]) => name)),
    },
    plugins: [
      ...web.plugins,
      {
        name: "web-place",
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /^\.\/place$/ }, () => ({ path: inProject("test/host/web/place.ts") }));
          onResolve({ filter: /^node:assert\/strict$/ }, () => ({ path: inProject("test/host/web/assert.ts") }));
          // Used only by tests that are left out.
          onResolve({ filter: /^node:child_process$/ }, ({ path: name }) => ({ path: name, namespace: "left-out" }));
          onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "export const execFileSync = null;" }));
        },
      },
    ],
    sourcemap: "inline",
    logLevel: "warning",
  });
}
