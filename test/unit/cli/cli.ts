/** Runs the command line in the test's process, with a terminal made of strings. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../../../cli/run";
import { screen } from "../../../cli/terminal";
import type { Sandbox } from "../../../sandbox";
import { inProject } from "../../../scripts/project";

/** The arguments of Node for the command line. A test run has built it; a test file that is run alone uses the sources. */
export const program: readonly string[] = process.env.ASSISTANT_FLOW_BUILT
  ? [inProject("dist/cli.js")]
  : ["--import", inProject("node_modules/tsx/dist/loader.mjs"), inProject("cli/main.ts")];

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly color?: boolean;
}

export async function cli(
  args: readonly string[],
  { cwd = process.cwd(), env = {}, input, color = false }: Place = {},
): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await run(args, {
    cwd,
    env: { XDG_STATE_HOME: process.env.XDG_STATE_HOME, LOCALAPPDATA: process.env.LOCALAPPDATA, ...env },
    color,
    watched: false,
    out: screen((text) => {
      out += text;
    }),
    data: (text) => {
      out += text;
    },
    err: screen((text) => {
      err += text;
    }),
    input: async () => {
      if (input === undefined) throw new Error("Nothing may wait for input here.");
      return input;
    },
  });
  return { code, out, err };
}

/** A temporary folder with files in it. */
export function folderWith(files: Readonly<Record<string, string>>): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-cli-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function environmentOf(sandbox: Sandbox, stateDir: string): Record<string, string> {
  return {
    ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl,
    ASSISTANT_FLOW_WORKFLOW_BASE_URL: sandbox.workflowBaseUrl,
    ASSISTANT_FLOW_API_KEY: sandbox.apiKey,
    ASSISTANT_FLOW_STATE_DIR: stateDir,
  };
}
