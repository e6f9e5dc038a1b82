/** What the suite needs from its environment, here a Node process. In a web worker, web/place.ts replaces it. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";

export interface HostResults {
  readonly host: string;
  readonly passed: number;
  readonly failed: number;
  /** The tests that ran, and the failures. */
  readonly output: string;
}

/** The addresses and the key of the sandbox, as environment variables ASSISTANT_FLOW_…. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** The names of tests that can't run here. */
export const leftOut: readonly string[] = [];

export function hostName(): string {
  const where = vscode.env.uiKind === vscode.UIKind.Web ? "npm host" : "desktop";
  return `${where}, Node ${process.versions.node}`;
}

/** The extension connects automatically, from its environment. */
export async function connect(): Promise<void> {}

/** The output of `check --format json` for flawed.ts, which is saved at the URI. */
export async function checkFlawed(uri: vscode.Uri): Promise<string> {
  const extension = vscode.extensions.getExtension("assistant-flow.assistant-flow");
  const cli = path.join(extension?.extensionPath ?? "", "dist/cli.js");
  return spawnSync(process.execPath, [cli, "check", "--format", "json", path.basename(uri.path)], {
    cwd: path.dirname(uri.fsPath),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    encoding: "utf8",
  }).stdout;
}

export async function writeResults(results: HostResults): Promise<void> {
  const file = process.env.ASSISTANT_FLOW_TEST_RESULTS;
  if (file) writeFileSync(file, JSON.stringify(results));
}
