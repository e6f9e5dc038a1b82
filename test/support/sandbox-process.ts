/** The sandbox as a process, bundled as it is shipped, for tests and benchmarks. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

export interface RunningSandbox {
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  readonly apiKey: string;
  readonly process: ChildProcess;
  /** Its output on stderr so far. */
  readonly errors: () => string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * The command line as it is shipped: a test run has built it; a test file that is run alone bundles the sources. The bundle is
 * inside the repository, where it finds the examples.
 */
export async function bundleCli(): Promise<{ readonly path: string; remove(): void }> {
  if (process.env.ASSISTANT_FLOW_BUILT) return { path: join("dist", "cli.js"), remove: () => undefined };
  await mkdir("test/out", { recursive: true });
  const folder = mkdtempSync(join("test/out", "sandbox-"));
  const path = join(folder, "cli.js");
  await build({
    entryPoints: { cli: "cli/main.ts", "check-worker": "cli/check/check-worker.ts" },
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function startProcess(
  cli: string,
  flags: readonly string[],
  prefix: readonly string[] = [],
): Promise<RunningSandbox> {
  const [command = "", ...rest] = [...prefix, process.execPath, cli, "sandbox", "--json", ...flags];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const line = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("\n")) resolve(output.slice(0, output.indexOf("\n")));
    });
    void ended.then((code) => reject(new Error(`The sandbox ended with ${code} before it was ready: ${errors}`)));
  });
  const ready = JSON.parse(line) as { base_url: string; workflow_base_url: string; api_key: string };
  return {
    baseUrl: ready.base_url,
    workflowBaseUrl: ready.workflow_base_url,
    apiKey: ready.api_key,
    process: child,
    errors: () => errors,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
