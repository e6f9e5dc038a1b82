/** Notifies the user about a sync state that needs attention, once per state, with its actions. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import { onConflict, possibleOverwrite, queued } from "../../sync/sentences";
import { type StandingNotice, showUntilWithdrawn } from "../ui/notice";
import { columnOf } from "../ui/workspace-files";
import type { PlanPages } from "./plan-page";
import { isTrying, type SyncStates } from "./states";
import { compare } from "./texts";

interface Notice {
  readonly text: string;
  /** What to open beside the file. */
  readonly shows?: "plan" | "platform";
  readonly action?: { readonly title: string; readonly command: string; readonly aboutFile: boolean };
}

interface Shown {
  readonly key: string;
  withdraw(): void;
}

/** How long a notice is shown. Afterwards the status bar and the Flows view have its state and its actions. */
const NOTICE_MS = 30_000;

/** The reason why two files that name the same revision are blocked. */
const TWICE = "claimed-twice";

/** `isSandbox`: the connection in use is the local sandbox, which reports that it stopped. */
export function showNotices(states: SyncStates, plans: PlanPages, isSandbox: () => boolean): vscode.Disposable {
  const shown = new Map<string, Shown>();
  /** Flows waiting for the platform to be reachable share one notification. */
  const waiting = new Set<string>();
  let offline: StandingNotice | undefined;
  const updateOffline = ({ uri, message }: FlowSyncState, isOffline: boolean) => {
    if (isOffline) waiting.add(uri);
    else waiting.delete(uri);
    if (waiting.size > 0 && !isSandbox()) offline ??= showUntilWithdrawn(`${message} ${queued()}`);
    if (waiting.size > 0) return;
    offline?.withdraw();
    offline = undefined;
  };
  const changes = states.onDidChange((uri) => {
    const state = states.get(uri);
    // Keep notices during a push: the state afterwards may be the same.
    if (!state || state.kind === "syncing") return;
    updateOffline(state, state.kind === "pending" && state.reason === "offline");
    // Its buttons have no effect now. If the state is the same afterwards, it isn't shown again.
    if (isTrying(state)) return shown.get(state.uri)?.withdraw();
    const notice = noticeOf(state);
    const key = notice ? `${state.kind} ${state.reason ?? ""} ${state.environment ?? ""} ${notice.text}` : "";
    const before = shown.get(state.uri);
    if ((before?.key ?? "") === key) return;
    before?.withdraw();
    shown.delete(state.uri);
    // The notice of one of these files names the other, so one is enough.
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    if (state.reason === TWICE && [...shown.values()].some(({ key }) => key.includes(TWICE) && key.includes(name)))
      return;
    if (notice) shown.set(state.uri, { key, withdraw: show(uri, notice, plans, state.environment) });
  });
  return {
    dispose() {
      changes.dispose();
      offline?.withdraw();
      for (const { withdraw } of shown.values()) withdraw();
    },
  };
}

/** Returns a function that withdraws the notice. */
function show(
  uri: vscode.Uri,
  { text, action, shows }: Notice,
  plans: PlanPages,
  environment: string | undefined,
): () => void {
  // Open nothing while the user works on another file.
  const mayShow = columnOf(uri) !== undefined;
  if (shows === "plan" && mayShow) plans.show(uri);
  if (shows === "platform" && mayShow)
    void compare(uri, "remote", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  const path = vscode.workspace.asRelativePath(uri);
  const name = environment === undefined ? path : `${path} (${environment})`;
  const choices = [...(action ? [action.title] : []), vscode.l10n.t("Show Plan")];
  const { choice, withdraw } = showUntilWithdrawn(`${name}: ${text}`, ...choices);
  const timer = setTimeout(withdraw, NOTICE_MS);
  void choice.then((chosen) => {
    clearTimeout(timer);
    if (chosen === undefined) return;
    if (chosen !== action?.title) return vscode.commands.executeCommand("assistantFlow.plan", uri);
    return vscode.commands.executeCommand(action.command, ...(action.aboutFile ? [uri] : []));
  });
  return withdraw;
}

export function noticeOf(state: FlowSyncState): Notice | undefined {
  const { kind, reason, message, risks, environment } = state;
  if (kind === "conflict")
    return { text: onConflict(), shows: "platform", action: onFile(vscode.l10n.t("Resolve…"), "resolveConflicts") };
  // Changes that are already merged into the file only need a save.
  if (kind === "diverged" && reason === "not-saved") return { text: message };
  if (kind === "diverged") return { text: message, action: onFile(vscode.l10n.t("Pull"), "pull") };
  if (reason === "no-key" || (kind === "unauthorized" && environment !== undefined))
    return { text: message, action: onFile(vscode.l10n.t("Enter API Key…"), "enterEnvironmentKey") };
  const elsewhere = (title: string, command: string) => ({
    text: message,
    action: { title, command, aboutFile: false },
  });
  if (kind === "unauthorized") return elsewhere(vscode.l10n.t("Enter API Key…"), "assistantFlow.enterKey");
  if (reason === "protected") return elsewhere(vscode.l10n.t("Promote…"), "assistantFlow.promote");
  if (kind === "blocked" && reason !== "local-errors")
    return elsewhere(vscode.l10n.t("Show Problems"), "workbench.actions.view.problems");
  if (kind === "pending" && reason === "site") return { text: message };
  if (kind === "pending" && (reason === "paused" || reason === "ignored"))
    return { text: message, shows: "plan", action: onFile(vscode.l10n.t("Push"), "push") };
  if (risks === 0) return undefined;
  return { text: possibleOverwrite(), action: onFile(vscode.l10n.t("Compare"), "compareWithPlatform") };
}

function onFile(title: string, command: string): Notice["action"] {
  return { title, command: `assistantFlow.${command}`, aboutFile: true };
}
