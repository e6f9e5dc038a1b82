/** The view of an outsider: files of a repository, responses of a platform, and the built programs. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../../cli/run";
import { screen } from "../../cli/terminal";
import { inProject } from "../../scripts/project";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Set by a shell before it starts the program. */
  readonly umask?: string;
  /** Another version of Node. */
  readonly node?: string;
}

/** A generous time limit for a slow machine, but waiting for a pipe never ends. */
const PATIENCE_MS = 120_000;

/** The environment of a command, without this process's connection or state. */
function environment(more: Place["env"]): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ASSISTANT_FLOW"));
  return { ...Object.fromEntries(own), NO_COLOR: "1", ...more };
}

/**
 * Runs a command in this process, like the built program after its start, which takes longer than most commands. Use
 * `cli` if the process matters: its environment and files in /proc, its umask, colors, protocols, and at least one run
 * of each kind of attack.
 */
export async function runInProcess(
  args: readonly string[],
  { cwd, env = {}, input = "" }: Pick<Place, "cwd" | "env" | "input"> = {},
): Promise<Ran> {
  let [out, err] = ["", ""];
  const write = (text: string) => {
    out += text;
  };
  const code = await run(args, {
    cwd: cwd ?? process.cwd(),
    env: environment(env),
    color: false,
    watched: false,
    out: screen(write),
    data: write,
    err: screen((text) => {
      err += text;
    }),
    input: async () => input,
  });
  return { code, out, err };
}

/** Runs the built command line; fails if it hangs. */
export function cli(
  args: readonly string[],
  { cwd, env = {}, input, umask, node = process.execPath }: Place = {},
): Promise<Ran> {
  const words = [node, inProject("dist/cli.js"), ...args];
  const [program = "", ...rest] = umask ? ["/bin/sh", "-c", `umask ${umask}; exec "$@"`, "sh", ...words] : words;
  const child = spawn(program, rest, { cwd, env: environment(env) });
  let [out, err, hung] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, PATIENCE_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      if (hung) reject(new Error(`\`${args.join(" ")}\` had to be ended after ${PATIENCE_MS / 1000} s: ${out}${err}`));
      else resolve({ code, out, err });
    });
  });
}

/** A folder with files, which is removed after use. */
export async function inFolder<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "aflow-security-")));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const posix = { skip: process.platform === "win32" ? "needs links, modes and named pipes" : false };

/** A valid flow, with a layout that the formatter changes. */
export const FLOW = `entry:   greet
nodes:
  greet:
    type:   message
    instructions: Hello there.
    edges:
      - to: bye
  bye: {type: end}
`;
