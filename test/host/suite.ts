/**
 * A small test framework for VS Code's extension host, where node:test can't report. A test is `test("what is
 * expected", async () => {…})`; the helpers below wait for asynchronous effects of VS Code.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { connect, hostName, leftOut, writeResults } from "./place";

export const extensionId = "assistant-flow.assistant-flow";

/** Time limits on a busy machine: for one wait, and for a whole test with several of them. */
const PATIENCE_SECONDS = 90;
const TEST_SECONDS = 480;

const tests: { name: string; body: () => unknown }[] = [];

export function test(name: string, body: () => unknown): void {
  tests.push({ name, body });
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const host = `VS Code ${vscode.version} (${hostName()})`;
  const unknown = leftOut.filter((name) => tests.every((each) => each.name !== name));
  const report = unknown.map((name) => `✖ left out, but there's no such test: ${name}`);
  let failed = unknown.length;
  const chosen = tests.filter(({ name }) => !leftOut.includes(name));
  for (const { name, body } of [{ name: "connect", body: connect }, ...chosen]) {
    const begin = Date.now();
    try {
      await within(TEST_SECONDS, name, Promise.resolve().then(body));
      report.push(`✔ ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      report.push(`✖ ${name}\n${error instanceof Error ? error.stack : String(error)}`);
    }
    try {
      await within(PATIENCE_SECONDS, `closing the editors after "${name}"`, closeEditors());
    } catch (error) {
      failed += 1;
      report.push(`✖ ${error}`);
    }
    // Reported after each test, so that an aborted run shows how far it came.
    const passed = report.filter((line) => line.startsWith("✔")).length;
    await writeResults({ host, passed, failed, output: report.join("\n") });
  }
  if (failed > 0) throw new Error(`${failed} of ${tests.length} tests failed.`);
}

/** Discards unsaved changes of a test, because VS Code would ask about them. */
async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter((each) => each.isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/** Calls `ask` until the result is neither undefined nor false. `what` may describe the current state for the error. */
export async function eventually<T>(
  what: string | (() => string),
  ask: () => T | Promise<T>,
  seconds = PATIENCE_SECONDS,
): Promise<NonNullable<T>> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > until) assert.fail(`Waited ${seconds} s in vain: ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Writes a file to the workspace and opens it. */
export async function openFlow(name: string, text: string): Promise<vscode.TextEditor> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, "a folder is open");
  const uri = vscode.Uri.joinPath(folder, name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** The content of a workspace file on disk. */
export async function savedText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Replaces the whole text of an editor in one edit. VS Code rejects it if it is reading the file again just then. */
export async function replaceText(editor: vscode.TextEditor, text: string): Promise<void> {
  const replace = async () => {
    const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
    return editor.edit((edit) => edit.replace(editor.document.validateRange(all), text));
  };
  await eventually("the edit was taken", replace);
}

function within<T>(seconds: number, name: string, promise: Promise<T>): Promise<T> {
  let clock: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    clock = setTimeout(() => reject(new Error(`"${name}" took more than ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(clock));
}
