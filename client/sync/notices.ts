/** What a person must know of a flow's sync is said once, with what can be done about it; not again for every save. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import { onConflict, possibleOverwrite, queued } from "../../sync/sentences";
import { warn } from "../ui/notice";
import type { PlanPages } from "./plan-page";

import type { SyncStates } from "./states";
import { compare } from "./texts";

interface Notice {
  readonly text: string;
  /** What is put beside the file, so that the person sees what it is about. */
  readonly shows?: "plan" | "platform";
  readonly action?: { readonly title: string; readonly command: string; readonly aboutFile: boolean };
}

export function showNotices(states: SyncStates, plans: PlanPages): vscode.Disposable {
  const said = new Map<string, string>();
  return states.onDidChange((uri) => {
    const state = states.get(uri);
    // While a batch is on its way nothing is certain: what was said before may still hold when it is over.
    if (!state || state.kind === "syncing") return;
    const notice = noticeOf(state);
    const text = notice ? `${state.kind} ${state.reason ?? ""} ${notice.text}` : "";
    if ((said.get(state.uri) ?? "") === text) return;
    said.set(state.uri, text);
    if (notice) void show(uri, notice, plans);
  });
}

async function show(uri: vscode.Uri, { text, action, shows }: Notice, plans: PlanPages): Promise<void> {
  if (shows === "plan") plans.show(uri);
  if (shows === "platform") await compare(uri, "remote", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  const choices = [...(action ? [action.title] : []), vscode.l10n.t("Show Plan")];
  const choice = await warn(`${vscode.workspace.asRelativePath(uri)}: ${text}`, ...choices);
  if (choice === undefined) return;
  if (choice !== action?.title) return void vscode.commands.executeCommand("assistantFlow.plan", uri);
  await vscode.commands.executeCommand(action.command, ...(action.aboutFile ? [uri] : []));
}

export function noticeOf(state: FlowSyncState): Notice | undefined {
  const { kind, reason, message, risks } = state;
  if (kind === "conflict")
    return {
      text: onConflict(),
      shows: "platform",
      action: onFile(vscode.l10n.t("Resolve…"), "resolveConflicts"),
    };
  // What is merged into the file already only waits for a save.
  if (kind === "diverged")
    return reason === "not-saved"
      ? { text: message }
      : { text: message, action: onFile(vscode.l10n.t("Pull"), "pull") };
  if (kind === "unauthorized")
    return {
      text: message,
      action: { title: vscode.l10n.t("Enter API Key…"), command: "assistantFlow.enterKey", aboutFile: false },
    };
  if (kind === "blocked" && reason !== "local-errors")
    return {
      text: message,
      action: { title: vscode.l10n.t("Show Problems"), command: "workbench.actions.view.problems", aboutFile: false },
    };
  if (kind === "pending" && reason === "offline") return { text: `${message} ${queued()}` };
  if (kind === "pending" && (reason === "paused" || reason === "ignored"))
    return { text: message, shows: "plan", action: onFile(vscode.l10n.t("Push"), "push") };
  if (risks > 0)
    return {
      text: possibleOverwrite(),
      action: onFile(vscode.l10n.t("Compare"), "compareWithPlatform"),
    };
  return undefined;
}

function onFile(title: string, command: string): Notice["action"] {
  return { title, command: `assistantFlow.${command}`, aboutFile: true };
}
