/**
 * The walkthrough: opened once, on the first start, beside the sidebar. Its steps tick by what is true, which these
 * context keys say, and not by a button that was pressed.
 */
import * as vscode from "vscode";
import { FLOW_PATTERN } from "./choose-flow";
import type { Session } from "./connections";
import { GRAPH_PAGE } from "./pages/graph-preview";
import type { SyncStates } from "./sync";

const WALKTHROUGH = "assistant-flow.assistant-flow#start";
const WELCOMED = "welcomed";

export function registerWelcome(context: vscode.ExtensionContext, session: Session, states: SyncStates): void {
  const set = (key: string, value: boolean) =>
    vscode.commands.executeCommand("setContext", `assistantFlow.${key}`, value);
  // VS Code ticks a step when its condition becomes true, and never where that was true before the first walkthrough was
  // looked at. So the condition of each step has a part that is true for moments only: when something has become true,
  // and when a page of VS Code's own has come up, which may be the walkthrough.
  const tick = async () => {
    await set("ticks", true);
    await set("ticks", false);
  };
  const known = new Set<string>();
  const pushing = new Set<string>();
  // Most of these are heard again with every save or tab: once is enough.
  const is = (key: string) => {
    if (known.has(key)) return;
    known.add(key);
    void set(key, true).then(tick);
  };
  const noteTabs = (tabs: readonly vscode.Tab[]) => {
    if (tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(GRAPH_PAGE)))
      is("hasSeenGraph");
    // Such pages have no kind that an extension can name.
    if (tabs.some(({ input }) => input === undefined)) void tick();
  };
  const noteConnected = () => session.state === "connected" && is("hasConnected");
  const watcher = vscode.workspace.createFileSystemWatcher(FLOW_PATTERN, false, true, true);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(() => is("hasFlow")),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => noteTabs([...opened, ...changed])),
    session.onDidChange(noteConnected),
    states.onDidChange((uri) => {
      const kind = states.get(uri)?.kind;
      // A flow that was in step when it was opened was not pushed by the user.
      if (kind === "syncing") pushing.add(uri.toString());
      else if (pushing.delete(uri.toString()) && kind === "synced") is("hasSynced");
    }),
    vscode.commands.registerCommand("assistantFlow.openWalkthrough", async () => {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
      await tick();
    }),
  );
  void welcome(context).then(tick);
  noteConnected();
  noteTabs(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
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
