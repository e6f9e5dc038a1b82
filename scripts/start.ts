/**
 * `npm start`: the sandbox with demo data and a VS Code with the extension, connected to it and showing examples/. The
 * desktop `code` where there is one, else VS Code served on loopback. Ctrl+C ends all of it.
 *
 *     npm start -- [--no-open] [--port N] [--served]
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
  "0. Trust the folder (Manage, in the banner at the top): until you do, nothing is sent to the sandbox.",
  "1. Change `to: ask_account` to a node that does not exist: the line is marked at once; Ctrl+. offers the fix.",
  "2. Press Ctrl+Space inside a node: types, fields, nodes and variables are offered as they fit.",
  "3. Press F12 on a node's name to go there, F2 to rename it everywhere.",
  "4. Run `Assistant Flow: Open Flow Graph` from the palette (F1) and watch it follow your edits.",
  "5. Save: the change goes to the sandbox, and what it finds comes back on your lines.",
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
      if (sandboxExists()) console.log("The sandbox is running and VS Code is connected to it. What to try first:");
      console.log(`${hints.join("\n")}\nCtrl+C ends everything.`);
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
  process.exit(process.exitCode ?? 0); // The browser it was opened in is the person's own, and lives on.
}

/** npm doesn't pass SIGTERM on to what its shell started: then it's gone, and this process has another parent. */
function endWithNpm(interrupted: AbortController): void {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  const watching = setInterval(() => process.ppid !== parent && interrupted.abort(), 300);
  watching.unref();
}

type Closing = (() => Promise<void>)[];

/** One step after the other; what a step leaves behind for later goes to `closing`, the latest first. */
async function begin(options: Options, closing: Closing, interrupted: AbortSignal): Promise<Started> {
  const desktop = options.served || options.noOpen ? undefined : findDesktopCode();
  await build({ quiet: true });
  interrupted.throwIfAborted();
  const folder = await temporaryFolder();
  closing.unshift(folder.remove);
  interrupted.throwIfAborted();
  // Found by this VS Code alone: what is in the folder ends with it.
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
 * Settles when the start-up has: nothing that a step has begun may outlive the end. Where it was interrupted the
 * programs it waits for are ended, as often as it starts one, so each step fails and clears up after itself.
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
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port wants a number, not "${given}".`);
  const known = /^--(no-open|served|port(=\d+)?)$/;
  const unknown = args.find((arg, index) => !known.test(arg) && !(at >= 0 && index === at + 1));
  if (unknown) throw new Error(`"${unknown}" is not an option. There are --no-open, --port N and --served.`);
  return { noOpen: args.includes("--no-open"), served: args.includes("--served"), port };
}

interface Started {
  /** Settles when the person closed VS Code, or with a message when it ended by itself. */
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
    settings: { "git.enabled": true },
  });
  closing.unshift(server.stop);
  interrupted.throwIfAborted();
  const address = server.address(inProject("examples"), firstFile);
  if (options.port !== 0 && server.port !== options.port) console.log(`Port ${options.port} is taken.`);
  console.log(`VS Code ${host.version} is at ${address}`);
  if (!options.noOpen) openInBrowser(address);
  return { whenClosed: server.running.exited.then((code) => `VS Code's server ended by itself (code ${code}).`) };
}

function startDesktop(program: string, folder: string, sandbox: Sandbox | undefined): Started {
  // A profile of its own: an open VS Code would take the folder over and know nothing of our environment.
  const profile = ["--user-data-dir", path.join(folder, "data"), "--extensions-dir", path.join(folder, "extensions")];
  const args = [...profile, "--new-window", "--wait", `--extensionDevelopmentPath=${root}`];
  const running = start(program, [...args, inProject("examples"), firstFile], {
    stdio: "ignore",
    env: { ...process.env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"), ...sandbox?.env },
    shell: process.platform === "win32",
  });
  console.log(`VS Code opens in a window of its own (${program}).`);
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
    (code) => code !== 0 && console.log("No browser could be opened; open the address above yourself."),
    () => console.log("No browser could be opened; open the address above yourself."),
  );
}

/**
 * VS Code's window detaches itself from the program that opened it; what it runs names our folder. It writes there until
 * it has ended, so that is waited for.
 */
async function endProcessesOf(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  for (let round = 0, pids = await processesOf(folder); pids.length > 0; round += 1, pids = await processesOf(folder)) {
    for (const pid of pids) {
      try {
        if (round % 30 === 0) process.kill(pid, round === 0 ? "SIGTERM" : "SIGKILL");
      } catch {
        // It ended by itself meanwhile.
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
