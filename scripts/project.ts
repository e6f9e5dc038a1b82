/** Paths of the project, and helpers to start other programs. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export const root = path.resolve(__dirname, "..");
export const inProject = (...parts: string[]) => path.join(root, ...parts);
/** The folders with the product's code. */
export const codeFolders = [
  "flow",
  "system",
  "files",
  "text",
  "debug",
  "platform",
  "sync",
  "server",
  "client",
  "webview",
  "sandbox",
  "cli",
] as const;
/** package.json with the strings of package.nls.json. */
export const manifest = localized(readJson("package.json"), readJson("package.nls.json"));

function readJson(file: string) {
  return JSON.parse(readFileSync(inProject(file), "utf8"));
}

/** Replaces `%name%` in a manifest by its string. */
function localized<T>(value: T, words: Readonly<Record<string, string>>): T {
  if (typeof value === "string") return (words[/^%(.+)%$/.exec(value)?.[1] ?? ""] ?? value) as T;
  if (Array.isArray(value)) return value.map((each) => localized(each, words)) as T;
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, localized(each, words)])) as T;
}

/** Whether the manifest's `repository` still has the address that a publisher has to replace. */
export function isPlaceholder(repository: { readonly url: string } | undefined): boolean {
  return !repository || new URL(repository.url).hostname.endsWith(".example");
}

/** All files below a folder with this ending, sorted, as paths relative to the project. */
export function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(inProject(folder))) return [];
  // Tests create and remove folders in test/out meanwhile.
  if (folder === "test")
    return readdirSync(inProject(folder), { withFileTypes: true })
      .filter((each) => each.isDirectory() && each.name !== "out")
      .flatMap(({ name }) => filesBelow(path.join(folder, name), ending))
      .sort();
  return readdirSync(inProject(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.split(path.sep).includes("node_modules"))
    .map((name) => path.join(folder, name))
    .sort();
}

/** A program selected by an environment variable. Throws if it doesn't exist. */
export function chosenProgram(variable: "BROWSER_EXECUTABLE" | "VSCODE_EXECUTABLE"): string | undefined {
  const program = process.env[variable];
  if (program && /[\\/]/.test(program) && !existsSync(program))
    throw new Error(`${variable} is "${program}", which doesn't exist.`);
  return program || undefined;
}

/** A temporary folder with a short path, because sockets are created in it; `remove` may be called twice. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "aflow-"));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

/** A program and everything it starts, stopped together. */
export interface Running {
  readonly process: ChildProcess;
  readonly exited: Promise<number>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<Running>();

/** Stops all programs of `start` and `capture` that are still running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((each) => each.stop()));
}

export function start(command: string, args: readonly string[], options: SpawnOptions = {}): Running {
  const windows = process.platform === "win32";
  const detached = options.detached ?? !windows;
  const child = spawn(command, args, { cwd: root, ...options, detached });
  const exited = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
  exited.catch(() => undefined); // Reported to callers that await it; otherwise ignored.
  const killGroup = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      if (windows) spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
      else process.kill(detached ? -child.pid : child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // Already stopped.
    }
  };
  const self: Running = {
    process: child,
    exited,
    async stop(signal = "SIGTERM") {
      killGroup(signal);
      const patience = setTimeout(() => killGroup("SIGKILL"), 3000);
      await exited.catch(() => undefined);
      clearTimeout(patience);
      if (detached) killGroup("SIGKILL"); // Stops the processes that the program left running.
    },
  };
  running.add(self);
  const forget = () => running.delete(self);
  exited.then(forget, forget);
  return self;
}

/** Runs a program and returns its output. Everything a detached program leaves running is stopped with it. */
export async function capture(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<{ code: number; output: string }> {
  const running = start(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: false, ...options });
  let output = "";
  for (const stream of [running.process.stdout, running.process.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const closed = new Promise<void>((resolve) => running.process.once("close", () => resolve()));
  const code = await running.exited;
  if (options.detached) await running.stop();
  await closed;
  return { code, output };
}

/** Waits until a program prints a match; fails with its output if it exits or hangs. */
export function waitForOutput(
  running: Running,
  pattern: RegExp,
  name: string,
  seconds = 180,
): Promise<RegExpExecArray> {
  let output = "";
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => fail(`did not become ready in ${seconds} s`), seconds * 1000);
    const fail = (what: string) => {
      clearTimeout(clock);
      reject(new Error(`${name} ${what}.\n${output.slice(-3000)}`));
    };
    for (const stream of [running.process.stdout, running.process.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk) => {
        output = (output + chunk).slice(-100_000);
        const match = pattern.exec(output);
        if (!match) return;
        clearTimeout(clock);
        resolve(match);
      });
    }
    running.exited.then(
      (code) => fail(`ended with code ${code} before it was ready`),
      (error) => fail(`could not be started: ${error.message}`),
    );
  });
}
