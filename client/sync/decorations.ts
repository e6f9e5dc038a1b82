/** Marks flows in the Explorer with their sync state. A flow that is synced or unlinked has no mark. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import { words } from "./state-words";
import type { SyncStates } from "./states";

const SETTING = "assistantFlow.explorer.decorations";

const marks: Partial<Record<FlowSyncState["kind"], { readonly badge: string; readonly color: string }>> = {
  pending: { badge: "↑", color: "gitDecoration.modifiedResourceForeground" },
  syncing: { badge: "↑", color: "gitDecoration.modifiedResourceForeground" },
  diverged: { badge: "↓", color: "gitDecoration.modifiedResourceForeground" },
  conflict: { badge: "↕", color: "gitDecoration.conflictingResourceForeground" },
  blocked: { badge: "!", color: "list.errorForeground" },
  unauthorized: { badge: "!", color: "list.warningForeground" },
};

export function showDecorations(states: SyncStates): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.Uri[]>();
  const all = () => states.all().map(({ uri }) => vscode.Uri.parse(uri));
  const provider = vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: changes.event,
    provideFileDecoration: (uri) => {
      const state = states.get(uri);
      const mark = state && marks[state.kind];
      if (!mark || !vscode.workspace.getConfiguration().get<boolean>(SETTING)) return undefined;
      return new vscode.FileDecoration(mark.badge, words(state), new vscode.ThemeColor(mark.color));
    },
  });
  return vscode.Disposable.from(
    changes,
    provider,
    states.onDidChange((uri) => changes.fire([uri])),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SETTING) && changes.fire(all())),
  );
}
