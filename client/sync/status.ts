/** The sync state of the flow in the editor, in the status bar, with what can be done about it one click away. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import type { FlowInFront } from "../flow-in-front";
import { explanation, words } from "./state-words";
import type { SyncStates } from "./states";
import { fileOf } from "./texts";

interface Look {
  readonly icon: string;
  readonly colour?: "warning" | "error";
}

const looks: Record<FlowSyncState["kind"], Look> = {
  synced: { icon: "check" },
  syncing: { icon: "sync~spin" },
  pending: { icon: "clock" },
  blocked: { icon: "error", colour: "error" },
  conflict: { icon: "git-merge", colour: "warning" },
  diverged: { icon: "cloud-download", colour: "warning" },
  unauthorized: { icon: "key", colour: "warning" },
  unlinked: { icon: "debug-disconnect" },
};

export function showSyncStatus(states: SyncStates, front: FlowInFront): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("sync", vscode.StatusBarAlignment.Left, 9);
  item.name = "Assistant Flow: Sync";
  item.command = "assistantFlow.syncMenu";
  const update = () => {
    const state = front.uri && states.get(fileOf(front.uri));
    if (!state) return item.hide();
    const look = looks[state.kind];
    item.text = `$(${look.icon}) ${words(state)}`;
    item.tooltip = tooltip(state);
    item.accessibilityInformation = {
      label: `Assistant Flow sync: ${words(state)}. ${explanation(state).join(" ")}`,
      role: "button",
    };
    item.backgroundColor = look.colour ? new vscode.ThemeColor(`statusBarItem.${look.colour}Background`) : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(item, states.onDidChange(update), front.onDidChange(update));
}

function tooltip(state: FlowSyncState): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText([words(state), ...explanation(state), "Click for more."].join("\n\n"));
  return text;
}
