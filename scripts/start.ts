/**
 * `npm start`: starts the sandbox with demo data, and VS Code with the extension, connected to it and showing
 * examples/. Uses the desktop `code` if it is installed, otherwise serves VS Code on loopback. Ctrl+C stops everything.
 *
 * npm start -- [--no-open] [--port N] [--served]
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "./build";
import { packageExtension } from "./package";
import { stopNpm } from "./packages.mjs";
import { capture, chosenProgram, inProject, root, start, stopAll, temporaryFolder } from "./project";
import { type Sandbox, sandboxExists, startSandbox } from "./sandbox";
import { ensureCodeHost } from "./vscode/install";
import { installExtension, startCodeServer } from "./vscode/server";

const firstFile = inProject("examples/support-line.flow.yaml");

const hints = [
  "0. Trust the folder (Manage, in the banner at the top), and then its repository: until you do, nothing is sent to the sandbox.",
  "1. Change `to: ask_account` to a node that doesn't exist: the line is marked at once, and Ctrl+. offers the fix.",
  "2. Press Ctrl+Space inside a node to complete types, fields, nodes and variables.",
  "3. Press F12 on a node's name to go there, F2 to rename it everywhere.",
  "4. Run `Assistant Flow: Open Flow Graph` from the palette (F1) and watch it follow your edits.",
  "5. Save with Ctrl+S (autosave doesn't push): the change is pushed to the sandbox, and its findings are shown on your lines.",
];

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const closing: Closing = [];
  const interrupted = new AbortController();
  const ended = new Promise<undefined>((resolve) => {
    interrupted.signal.addEventListener("abort", () => resolve(undefined));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());
    endWithNpm(interrupted);
  });
  const begun = begin(options, closing, interrupted.signal);
  try {
    const started = await Promise.race([begun, ended]);
    if (started) {
      if (sandboxExists()) console.log("The sandbox is running, and VS Code is connected to it. Try this first:");
      console.log(`${hints.join("\n")}\nPress Ctrl+C to stop.`);
      const trouble = await Promise.race([ended, started.whenClosed]);
      if (trouble) {
        console.error(trouble);
        process.exitCode = 1;
      }
    }
  } finally {
    await givenUp(begun);
    for (const close of closing) await close().catch((error: Error) => console.error(error.message));
  }
  process.exit(process.exitCode ?? 0); // The user's browser keeps running.
}

/** npm doesn't forward SIGTERM to its scripts; if it is gone, this process has another parent. */
function endWithNpm(interrupted: AbortController): void {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  const watching = setInterval(() => process.ppid !== parent && interrupted.abort(), 300);
  watching.unref();
}

type Closing = (() => Promise<void>)[];

/** Runs the steps in order; each adds its cleanup to `closing`, latest first. */
async function begin(options: Options, closing: Closing, interrupted: AbortSignal): Promise<Started> {
  const desktop = options.served || options.noOpen ? undefined : findDesktopCode();
  await build({ quiet: true });
  interrupted.throwIfAborted();
  const folder = await temporaryFolder();
  closing.unshift(folder.remove);
  interrupted.throwIfAborted();
  // Only used by this VS Code; the folder is removed at the end.
  const state = { ASSISTANT_FLOW_STATE_DIR: path.join(folder.path, "state") };
  const started = sandboxExists() ? await startSandbox({ flags: ["--shared"], env: state }) : undefined;
  const sandbox = started && { ...started, env: { ...started.env, ...state } };
  if (sandbox) closing.unshift(sandbox.stop);
  interrupted.throwIfAborted();
  if (!desktop) return serve(options, folder.path, sandbox, closing, interrupted);
  closing.unshift(() => endProcessesOf(folder.path));
  return startDesktop(desktop, folder.path, sandbox);
}

/**
 * Settles when startup has finished, so that nothing outlives it. If interrupted, the programs it waits for are
 * stopped, so each step fails and cleans up.
 */
async function givenUp(begun: Promise<unknown>): Promise<void> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  const over = begun.then(settle, settle);
  await Promise.race([over, pause(0)]);
  while (!settled) {
    stopNpm();
    await stopAll();
    await Promise.race([over, pause(50)]);
  }
}

interface Options {
  readonly noOpen: boolean;
  readonly served: boolean;
  readonly port: number;
}

function readOptions(args: readonly string[]): Options {
  const at = args.findIndex((arg) => arg === "--port" || arg.startsWith("--port="));
  const given = at < 0 ? undefined : (args[at]?.split("=")[1] ?? args[at + 1]);
  const port = given === undefined ? 7470 : Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port must be a number, not "${given}".`);
  const known = /^--(no-open|served|port(=\d+)?)$/;
  const unknown = args.find((arg, index) => !known.test(arg) && !(at >= 0 && index === at + 1));
  if (unknown) throw new Error(`Unknown option "${unknown}". Options: --no-open, --port N, --served.`);
  return { noOpen: args.includes("--no-open"), served: args.includes("--served"), port };
}

interface Started {
  /** Settles when the user closes VS Code, or with a message if it stops by itself. */
  readonly whenClosed: Promise<string | undefined>;
}

async function serve(
  options: Options,
  folder: string,
  sandbox: Sandbox | undefined,
  closing: Closing,
  interrupted: AbortSignal,
): Promise<Started> {
  const host = await ensureCodeHost();
  interrupted.throwIfAborted();
  const vsix = path.join(folder, "assistant-flow.vsix");
  const extensionsDir = path.join(folder, "extensions");
  await packageExtension(vsix);
  interrupted.throwIfAborted();
  await installExtension(host, vsix, extensionsDir);
  interrupted.throwIfAborted();
  const server = await startCodeServer(host, {
    port: options.port,
    extensionsDir,
    env: sandbox?.env,
    // The examples are in this project's repository.
    settings: { "git.enabled": true, "git.openRepositoryInParentFolders": "always" },
  });
  closing.unshift(server.stop);
  interrupted.throwIfAborted();
  const address = server.address(inProject("examples"), firstFile);
  if (options.port !== 0 && server.port !== options.port) console.log(`Port ${options.port} is in use.`);
  console.log(`VS Code ${host.version} is at ${address}`);
  if (!options.noOpen) openInBrowser(address);
  return { whenClosed: server.running.exited.then((code) => `VS Code's server stopped unexpectedly (code ${code}).`) };
}

function startDesktop(program: string, folder: string, sandbox: Sandbox | undefined): Started {
  // Uses a separate profile, because a running VS Code would open the folder without our environment.
  const profile = ["--user-data-dir", path.join(folder, "data"), "--extensions-dir", path.join(folder, "extensions")];
  const args = [...profile, "--new-window", "--wait", `--extensionDevelopmentPath=${root}`];
  const running = start(program, [...args, inProject("examples"), firstFile], {
    stdio: "ignore",
    env: { ...process.env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"), ...sandbox?.env },
    shell: process.platform === "win32",
  });
  console.log(`VS Code opens in a new window (${program}).`);
  return { whenClosed: running.exited.then(() => undefined) };
}

function findDesktopCode(): string | undefined {
  const chosen = chosenProgram("VSCODE_EXECUTABLE");
  if (chosen && chosen !== "download") return chosen;
  const names = process.platform === "win32" ? ["code.cmd"] : ["code"];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

function openInBrowser(address: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", address.replaceAll("&", "^&")]
        : ["xdg-open", address];
  const running = start(program ?? "", args, { stdio: "ignore" });
  running.exited.then(
    (code) => code !== 0 && console.log("Couldn't open a browser. Open the URL above."),
    () => console.log("Couldn't open a browser. Open the URL above."),
  );
}

/**
 * VS Code's window detaches from the program that opened it; its processes are found by our folder. Waits until they
 * have stopped, because they write to it.
 */
async function endProcessesOf(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  for (let round = 0, pids = await processesOf(folder); pids.length > 0; round += 1, pids = await processesOf(folder)) {
    for (const pid of pids) {
      try {
        if (round % 30 === 0) process.kill(pid, round === 0 ? "SIGTERM" : "SIGKILL");
      } catch {
        // It has already stopped.
      }
    }
    await pause(100);
  }
}

async function processesOf(folder: string): Promise<number[]> {
  const { output } = await capture("ps", ["-eo", "pid=,args="]).catch(() => ({ output: "" }));
  const lines = output.split("\n").filter((line) => line.includes(folder));
  return lines.map((line) => Number(line.trim().split(" ")[0])).filter((pid) => pid && pid !== process.pid);
}
