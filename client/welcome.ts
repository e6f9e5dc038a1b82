/**
 * The walkthrough: opened once, on the first start, beside the sidebar. Its steps tick by what is true, which these
 * context keys say, and not by a button that was pressed.
 */
import * as vscode from "vscode";
import { FLOW_PATTERN } from "./choose-flow";
import type { SyncStates } from "./sync";

const WALKTHROUGH = "assistant-flow.assistant-flow#start";
const WELCOMED = "welcomed";

export function registerWelcome(context: vscode.ExtensionContext, states: SyncStates): void {
  const is = (key: string) => vscode.commands.executeCommand("setContext", `assistantFlow.${key}`, true);
  const watcher = vscode.workspace.createFileSystemWatcher(FLOW_PATTERN, false, true, true);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(() => void is("hasFlow")),
    states.onDidChange((uri) => {
      if (states.get(uri)?.kind === "synced") void is("hasSynced");
    }),
    vscode.commands.registerCommand("assistantFlow.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    ),
  );
  void vscode.workspace.findFiles(FLOW_PATTERN, "**/node_modules/**", 1).then(([found]) => found && is("hasFlow"));
  void welcome(context);
}

/** Whoever wants no page at the start gets none. */
async function welcome({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get<boolean>(WELCOMED)) return;
  if (vscode.workspace.getConfiguration("workbench").get("startupEditor") === "none") return;
  await globalState.update(WELCOMED, true);
  await vscode.commands.executeCommand("workbench.view.extension.assistantFlow");
  // The flow that is open keeps the keyboard.
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, {
    toSide: vscode.window.activeTextEditor !== undefined,
    inactive: vscode.window.activeTextEditor !== undefined,
  });
}
