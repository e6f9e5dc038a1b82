/**
 * What the suite needs from its environment, here a web worker. The test's server provides the files and receives the
 * results.
 */
import * as vscode from "vscode";
import type { HostResults } from "../place";

/** Set when the suite is bundled (run.ts). */
declare const ENVIRONMENT: Readonly<Record<string, string>>;
declare const FLAWED_FINDINGS: string;
declare const LEFT_OUT: readonly string[];

export const environment: Readonly<Record<string, string | undefined>> = ENVIRONMENT;
export const leftOut = LEFT_OUT;

export function hostName(): string {
  return "web worker";
}

export async function checkFlawed(_uri: vscode.Uri): Promise<string> {
  return FLAWED_FINDINGS;
}

/** Adds a connection as a user would, because a web worker has no environment variables to take it from. */
export async function connect(): Promise<void> {
  const extension = vscode.extensions.getExtension("assistant-flow.assistant-flow");
  await extension?.activate();
  const window = vscode.window as { createInputBox: () => unknown };
  const { createInputBox } = window;
  const names = ["ASSISTANT_FLOW_BASE_URL", "ASSISTANT_FLOW_WORKFLOW_BASE_URL", "ASSISTANT_FLOW_API_KEY"];
  const answers = ["Sandbox", ...names.map((name) => ENVIRONMENT[name]), ""];
  // The suite can't press Enter in an input box, so this replaces the box with one that accepts the next answer.
  window.createInputBox = () => {
    const value = answers.shift();
    const never = () => undefined;
    return {
      ...{ onDidChangeValue: never, onDidTriggerButton: never, onDidHide: never, show: never, dispose: never },
      onDidAccept: (accept: () => void) => setTimeout(accept, 0),
      get value() {
        return value;
      },
      set value(_shown) {},
    };
  };
  try {
    await vscode.commands.executeCommand("assistantFlow.addConnection");
  } finally {
    window.createInputBox = createInputBox;
  }
}

export async function writeResults(results: HostResults): Promise<void> {
  const extension = vscode.extensions.getExtension("assistant-flow.assistant-flow") as vscode.Extension<unknown>;
  const url = extension.extensionUri.with({ path: "/files/results.json" }).toString(true);
  const answer = await fetch(url, { method: "PUT", body: JSON.stringify(results) });
  if (!answer.ok) throw new Error(`The results weren't stored: ${answer.status}`);
}
