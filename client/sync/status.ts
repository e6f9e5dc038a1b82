/** Shows the sync state of the active flow in the status bar, with its actions one click away. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import { plainMarkdown } from "../ui/row";
import { isUnsaved } from "../ui/workspace-files";
import { blockingSentence, explanation, isCompileFailed, words } from "./state-words";
import type { SyncStates } from "./states";
import { fileOf } from "./texts";

interface Look {
  readonly icon: string;
  readonly color?: "warning" | "error";
}

const looks: Record<FlowSyncState["kind"], Look> = {
  synced: { icon: "check" },
  syncing: { icon: "sync~spin" },
  pending: { icon: "clock" },
  blocked: { icon: "error", color: "error" },
  conflict: { icon: "git-merge", color: "warning" },
  diverged: { icon: "cloud-download", color: "warning" },
  unauthorized: { icon: "key", color: "warning" },
  unknown: { icon: "question" },
  unlinked: { icon: "debug-disconnect" },
};

/** Reasons to wait that the user can end with one click. */
const PUSHABLE = new Set(["autosaved", "manual", "declined", "paused", "cancelled", "ignored", "site"]);

export function showSyncStatus(states: SyncStates, activeFlow: ActiveFlow): vscode.Disposable {
  const push = vscode.window.createStatusBarItem("push", vscode.StatusBarAlignment.Left, 8.9);
  push.name = vscode.l10n.t("Assistant Flow: Push");
  push.text = vscode.l10n.t("$(cloud-upload) Push");
  const item = vscode.window.createStatusBarItem("sync", vscode.StatusBarAlignment.Left, 9);
  item.name = vscode.l10n.t("Assistant Flow: Sync");
  item.command = "assistantFlow.syncMenu";
  const blocking = vscode.window.createStatusBarItem("blocking", vscode.StatusBarAlignment.Left, 8.8);
  blocking.name = vscode.l10n.t("Assistant Flow: Blocking Errors");
  blocking.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  const update = () => {
    const state = activeFlow.uri && states.get(fileOf(activeFlow.uri));
    // Without a connection, the connection's status item says so.
    const isShown = state !== undefined && state.reason !== "no-connection";
    const isProtected = state?.environments?.some((each) => each.isProtected && each.name === state.environment);
    const isPushable = isShown && !isProtected && state.kind === "pending" && PUSHABLE.has(state.reason ?? "");
    // Don't hide and re-show: that recreates the item and drops clicks.
    if (!isPushable) push.hide();
    if (!isShown || !state.blockingErrors) blocking.hide();
    if (!isShown) return item.hide();
    if (isPushable) {
      const uri = vscode.Uri.parse(state.uri);
      push.command = { title: vscode.l10n.t("Push"), command: "assistantFlow.push", arguments: [uri] };
      push.tooltip = vscode.l10n.t("Push {0}. {1}", vscode.workspace.asRelativePath(uri), state.message);
      push.accessibilityInformation = { label: push.tooltip, role: "button" };
      push.show();
    }
    if (state.blockingErrors) {
      blocking.text = vscode.l10n.t("$(error) {0} blocking", state.blockingErrors);
      blocking.tooltip = vscode.l10n.t("{0} Click to go to the finding.", blockingSentence(state.blockingErrors));
      blocking.accessibilityInformation = { label: blocking.tooltip, role: "button" };
      blocking.command = {
        title: vscode.l10n.t("Go to Blocking Error"),
        command: "assistantFlow.goToBlocking",
        arguments: [vscode.Uri.parse(state.uri)],
      };
      blocking.show();
    }
    const look = isCompileFailed(state) ? looks.blocked : looks[state.kind];
    // Blocking errors have their own item.
    const unsaved = state.kind === "synced" && isUnsaved(state.uri) ? vscode.l10n.t(", unsaved changes") : "";
    item.text = `$(${look.icon}) ${words({ ...state, blockingErrors: 0 })}${unsaved}`;
    item.tooltip = tooltip(state);
    item.accessibilityInformation = {
      label: vscode.l10n.t("Assistant Flow sync: {0}. {1}", words(state), explanation(state).join(" ")),
      role: "button",
    };
    item.backgroundColor = look.color ? new vscode.ThemeColor(`statusBarItem.${look.color}Background`) : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(
    // Unsaved changes aren't on the platform, so the status mentions them.
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.languageId === "assistant-flow" && update()),
    vscode.workspace.onDidSaveTextDocument(update),
    item,
    push,
    blocking,
    states.onDidChange(update),
    activeFlow.onDidChange(update),
  );
}

function tooltip(state: FlowSyncState): vscode.MarkdownString {
  return new vscode.MarkdownString(
    plainMarkdown(words(state), ...explanation(state), vscode.l10n.t("Click for more.")),
  );
}
