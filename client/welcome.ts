/**
 * The walkthrough: opened once, on the first start. These context keys complete its steps when something has actually
 * happened, such as a push, and not when a button was clicked.
 */
import * as vscode from "vscode";
import type { Session } from "./connections";
import { GRAPH_PAGE } from "./pages/graph-tab";
import type { SyncStates } from "./sync";
import { setContext } from "./ui/context";
import { onCommand } from "./ui/notice";
import { FLOW_PATTERN } from "./ui/workspace-files";

const WALKTHROUGH = "assistant-flow.assistant-flow#start";
const WELCOMED = "welcomed";

export function registerWelcome(context: vscode.ExtensionContext, session: Session, states: SyncStates): void {
  // VS Code completes a step only when its condition changes to true while a walkthrough is known, so conditions that
  // were true before never count. Each condition therefore includes `ticks`, which is briefly true after every change
  // and whenever a built-in page opens, since that page may be the walkthrough.
  const tick = async () => {
    await setContext("ticks", true);
    await setContext("ticks", false);
  };
  const known = new Set<string>();
  const pushing = new Set<string>();
  const is = (key: string) => {
    if (known.has(key)) return;
    known.add(key);
    void setContext(key, true).then(tick);
  };
  const noteTabs = (tabs: readonly vscode.Tab[]) => {
    if (tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(GRAPH_PAGE)))
      is("hasSeenGraph");
    // Built-in pages, such as the walkthrough, have no input type.
    if (tabs.some(({ input }) => input === undefined)) void tick();
  };
  const noteConnected = () => session.state === "connected" && is("hasConnected");
  const watcher = vscode.workspace.createFileSystemWatcher(FLOW_PATTERN, false, true, true);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(() => is("hasFlow")),
    vscode.workspace.onDidSaveTextDocument(({ languageId }) => languageId === "assistant-flow-test" && is("hasTest")),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => noteTabs([...opened, ...changed])),
    session.onDidChange(noteConnected),
    states.onDidChange((uri) => {
      const kind = states.get(uri)?.kind;
      // Counts pushes only, not flows that were in sync when opened.
      if (kind === "syncing") pushing.add(uri.toString());
      else if (pushing.delete(uri.toString()) && kind === "synced") is("hasSynced");
    }),
  );
  onCommand(context, "openWalkthrough", async () => {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
    await tick();
  });
  void welcome(context).then(tick);
  noteConnected();
  noteTabs(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
}

/** Skipped if the user has disabled pages at startup. */
async function welcome({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get<boolean>(WELCOMED)) return;
  if (vscode.workspace.getConfiguration("workbench").get("startupEditor") === "none") return;
  await globalState.update(WELCOMED, true);
  await vscode.commands.executeCommand("workbench.view.extension.assistantFlow");
  // Keep the focus in an open editor.
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, {
    toSide: vscode.window.activeTextEditor !== undefined,
    inactive: vscode.window.activeTextEditor !== undefined,
  });
}
