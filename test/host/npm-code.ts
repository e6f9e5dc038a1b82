/** Runs a suite in the extension host of the VS Code from npm packages, and exits with the suite's exit code. */
import { cp } from "node:fs/promises";
import path from "node:path";
import { format } from "node:util";
import { chromium } from "playwright-core";
import { temporaryFolder } from "../../scripts/project";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureBrowser, ensureCodeHost } from "../../scripts/vscode/install";
import { startCodeServer } from "../../scripts/vscode/server";
import { builtIn } from "../support/built-in";
import { calmArguments, calmSettings, drawNothing } from "../support/calm";

/** The exit code if the page crashed, so that the suite's result is unknown. */
export const CRASHED = 86;

const PATIENCE_MS = 180_000;

export async function main(args: readonly string[]): Promise<number> {
  const values = (name: string) =>
    args.flatMap((arg) => (arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : []));
  const [extension = "", ...others] = values("extensionDevelopmentPath");
  const [suite = ""] = values("extensionTestsPath");
  const folder = args.find((arg) => !arg.startsWith("-")) ?? process.cwd();
  const host = await ensureCodeHost();
  // In a browser the workbench loads only one extension from a folder. Others must be in the folder of built-in
  // extensions.
  const installed = await temporaryFolder();
  for (const each of others) await cp(each, path.join(installed.path, path.basename(each)), { recursive: true });
  // The workbench accepts the paths of an extension under test only with this switch.
  const server = await startCodeServer(host, {
    args: [...calmArguments, "--enable-smoke-test-driver"],
    extensionsDir: installed.path,
    builtIn,
    settings: calmSettings,
    trust: "given",
  });
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: browserSwitches,
    timeout: PATIENCE_MS,
  });
  const end = async () => {
    await browser.close();
    await server.stop();
    await installed.remove();
  };
  try {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await drawNothing(context);
    const page = await context.newPage();
    const ended = new Promise<number>((resolve) => page.exposeFunction("codeAutomationExit", resolve));
    const crashed = new Promise<number>((resolve) => page.once("crash", () => resolve(CRASHED)));
    await page.exposeFunction("codeAutomationLog", (_type: string, parts: unknown[]) => {
      if (process.env.DEBUG) console.log(format(...parts)); // Everything that VS Code logs; the suite reports to a file.
    });
    const remote = (file: string) => `vscode-remote://localhost:${server.port}${path.resolve(file)}`;
    const payload = [
      ["extensionDevelopmentPath", remote(extension)],
      ["extensionTestsPath", remote(suite)],
    ] as const;
    // The suite reports its end, so the page doesn't need to load completely.
    await page.goto(server.address(folder, undefined, payload), { waitUntil: "commit", timeout: PATIENCE_MS });
    return await Promise.race([ended, crashed, server.running.exited.then(() => 1)]);
  } finally {
    await end();
  }
}
