/**
 * `npm start`: the sandbox with demo data and a VS Code with the extension, connected to it and showing examples/. The
 * desktop `code` where there is one, else VS Code served on loopback. Ctrl+C ends all of it.
 *
 *     npm start -- [--no-open] [--port N] [--served]
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { build } from "./build";
import { packageExtension } from "./package";
import { capture, inProject, root, start, temporaryFolder } from "./project";
import { type Sandbox, sandboxExists, startSandbox } from "./sandbox";
import { ensureCodeHost } from "./vscode/install";
import { installExtension, startCodeServer } from "./vscode/server";

const firstFile = inProject("examples/support-line.flow.yaml");

const hints = [
  "1. Change `to: ask_account` to a node that does not exist: the line is marked at once; Ctrl+. offers the fix.",
  "2. Press Ctrl+Space inside a node: types, fields, nodes and variables are offered as they fit.",
  "3. Press F12 on a node's name to go there, F2 to rename it everywhere.",
  "4. Run `Assistant Flow: Open Flow Graph` from the palette (F1) and watch it follow your edits.",
  "5. Save: the change goes to the sandbox, and what it finds comes back on your lines.",
];

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const closing: (() => Promise<void>)[] = [];
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= (async () => {
      for (const close of closing) await close().catch((error: Error) => console.error(error.message));
    })();
    return ending;
  };
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
  try {
    const begin = async () => {
      await build({ quiet: true });
      const folder = await temporaryFolder();
      closing.unshift(folder.remove, () => endProcessesOf(folder.path));
      const sandbox = sandboxExists() ? await startSandbox() : undefined;
      if (sandbox) closing.unshift(sandbox.stop);
      const desktop = options.served ? undefined : findDesktopCode();
      return desktop && !options.noOpen
        ? startDesktop(desktop, folder.path, sandbox)
        : serve(options, folder.path, sandbox, closing);
    };
    const closed = await Promise.race([begin(), ended]);
    if (!closed) return;
    if (sandboxExists()) console.log("The sandbox is running and VS Code is connected to it. What to try first:");
    console.log(`${hints.join("\n")}\nCtrl+C ends everything.`);
    const trouble = await Promise.race([ended, closed.whenClosed]);
    if (trouble) {
      console.error(trouble);
      process.exitCode = 1;
    }
  } finally {
    await end();
  }
  process.exit(process.exitCode ?? 0); // A set-up that was cut short may still have something open.
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
  closing: (() => Promise<void>)[],
): Promise<Started> {
  const host = await ensureCodeHost();
  const vsix = path.join(folder, "assistant-flow.vsix");
  const extensionsDir = path.join(folder, "extensions");
  await packageExtension(vsix);
  await installExtension(host, vsix, extensionsDir);
  const server = await startCodeServer(host, { port: options.port, extensionsDir, env: sandbox?.env });
  closing.unshift(server.stop);
  const address = server.address(inProject("examples"), firstFile);
  if (options.port !== 0 && server.port !== options.port) console.log(`Port ${options.port} is taken.`);
  console.log(`VS Code ${host.version} is at ${address}`);
  if (!options.noOpen) openInBrowser(address);
  return { whenClosed: server.running.exited.then((code) => `VS Code's server ended by itself (code ${code}).`) };
}

function startDesktop(program: string, folder: string, sandbox: Sandbox | undefined): Started {
  // A profile of its own: an open VS Code would take the folder over and know nothing of our environment.
  const profile = ["--user-data-dir", path.join(folder, "data"), "--extensions-dir", path.join(folder, "extensions")];
  const args = [
    ...profile,
    "--new-window",
    "--wait",
    "--disable-workspace-trust",
    `--extensionDevelopmentPath=${root}`,
  ];
  const running = start(program, [...args, inProject("examples"), firstFile], {
    stdio: "ignore",
    env: { ...process.env, ...sandbox?.env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") },
    shell: process.platform === "win32",
  });
  console.log(`VS Code opens in a window of its own (${program}).`);
  return { whenClosed: running.exited.then(() => undefined) };
}

function findDesktopCode(): string | undefined {
  const chosen = process.env.VSCODE_EXECUTABLE;
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

/** VS Code's window detaches itself from the program that opened it; what it runs names our folder. */
async function endProcessesOf(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const { output } = await capture("ps", ["-eo", "pid=,args="]).catch(() => ({ output: "" }));
  for (const line of output.split("\n").filter((each) => each.includes(folder))) {
    const pid = Number(line.trim().split(" ")[0]);
    try {
      if (pid && pid !== process.pid) process.kill(pid);
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
