/**
 * The walkthrough: opened once, on the first start, beside the sidebar. Its steps tick by what is true, which these
 * context keys say, and not by a button that was pressed.
 */
import * as vscode from "vscode";
import { FLOW_PATTERN } from "./choose-flow";
import type { Session } from "./connections";
import type { SyncStates } from "./sync";

const WALKTHROUGH = "assistant-flow.assistant-flow#start";
const WELCOMED = "welcomed";

export function registerWelcome(context: vscode.ExtensionContext, session: Session, states: SyncStates): void {
  // VS Code ticks a step when its key becomes true, and never where it was true before the walkthrough was known: so
  // the keys wait for the page.
  const opened = welcome(context);
  const is = (key: string) =>
    void opened.finally(() => vscode.commands.executeCommand("setContext", `assistantFlow.${key}`, true));
  const noteConnected = () => session.state === "connected" && is("hasConnected");
  const watcher = vscode.workspace.createFileSystemWatcher(FLOW_PATTERN, false, true, true);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(() => is("hasFlow")),
    session.onDidChange(noteConnected),
    states.onDidChange((uri) => {
      if (states.get(uri)?.kind === "synced") is("hasSynced");
    }),
    vscode.commands.registerCommand("assistantFlow.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    ),
  );
  noteConnected();
  void vscode.workspace.findFiles(FLOW_PATTERN, "**/node_modules/**", 1).then(([found]) => found && is("hasFlow"));
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
