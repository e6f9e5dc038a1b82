/** Shows sync in VS Code: status, source control, plans, and questions. The sync engine runs in the server. */
import * as vscode from "vscode";
import { ConnectionChanged } from "../../server/environment-messages";
import type { FlowSyncState, SendQuestion } from "../../server/messages";
import { ask, ConfirmRequest, SaveRequest, SyncActionRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import { type Session, usesSandbox } from "../connections";
import type { Server } from "../server";
import { type OpenProgress, openProgress, showUntilWithdrawn } from "../ui/notice";
import { FLOW_PATTERN, openIfExists } from "../ui/workspace-files";
import { registerSyncCommands } from "./commands";
import { showConflicts } from "./conflicts";
import { showNotices } from "./notices";
import { PlanPages } from "./plan-page";
import { askToSend, endsQuestion, isSettled, NOT_NOW, OpenQuestions } from "./questions";
import { showSourceControl } from "./source-control";
import { words } from "./state-words";
import { SyncStates } from "./states";
import { showSyncStatus } from "./status";
import { FlowTexts, fileOf } from "./texts";

export { briefState, compileWords, isCompileFailed } from "./state-words";
export type { SyncStates } from "./states";
export { fileOf } from "./texts";

export function registerSync(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  activeFlow: ActiveFlow,
): SyncStates {
  const states = new SyncStates(server, session);
  /** Open plans and comparisons may be outdated. */
  const outdated = new vscode.EventEmitter<void>();
  const questions = new OpenQuestions(() => outdated.fire());
  const files = vscode.workspace.createFileSystemWatcher(FLOW_PATTERN, true, true);
  const plans = new PlanPages(context, server, questions, states, activeFlow, outdated.event);
  const sendConnection = () => void server.sendNotification(ConnectionChanged.method, session.info);
  context.subscriptions.push(
    states,
    files,
    outdated,
    states.onDidChange((uri) => {
      outdated.fire();
      if (isSettled(states.get(uri)?.kind)) closePlan(plans, uri);
    }),
    files.onDidDelete(() => outdated.fire()),
    new FlowTexts(server, outdated.event),
    showSyncStatus(states, activeFlow),
    showSourceControl(states),
    showDecorations(states),
    showNotices(states, plans, () => usesSandbox(session)),
    showProgress(states, server),
    showConflicts(states, server),
    pollPlatform(states, activeFlow, server),
    session.onDidChange(sendConnection),
    server.onRequest(SaveRequest.method, async ({ uri }: { uri: string }) => {
      const document = await openIfExists(vscode.Uri.parse(uri));
      return document?.save() ?? false;
    }),
    server.onRequest(ConfirmRequest.method, (question: SendQuestion, token) =>
      confirm(context, questions, plans, states, question, token),
    ),
    plans,
  );
  registerSyncCommands(context, server, { states, questions, plans, activeFlow, session });
  return states;
}

/** Flows whose plan was opened for a question, not by the user. */
const openedPlans = new Set<string>();

/**
 * Asks while showing the plan, which closes with the question unless it was open before. After an autosave the question
 * is withdrawn, and the plan stays until its changes are pushed.
 */
function confirm(
  context: vscode.ExtensionContext,
  questions: OpenQuestions,
  plans: PlanPages,
  states: SyncStates,
  question: SendQuestion,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const file = vscode.Uri.parse(question.uri);
  return askToSend(
    question,
    vscode.workspace.asRelativePath(file),
    context.workspaceState,
    async (text, choices, onPage) => {
      if (!plans.isOpen(file)) openedPlans.add(file.toString());
      plans.show(file);
      // An editor that ignores the button's label calls it "Cancel", so the button is the choice that sends nothing.
      const notice = showUntilWithdrawn(text, NOT_NOW, ...choices.filter((choice) => choice !== NOT_NOW));
      const changes = states.onDidChange((uri) => {
        const state = states.get(uri);
        if (uri.toString() === file.toString() && state && endsQuestion(state)) questions.withdraw(file.toString());
      });
      const withdrawn = token.onCancellationRequested(() => notice.withdraw());
      const answer = await questions.wait(file.toString(), choices, notice.choice, onPage);
      withdrawn.dispose();
      changes.dispose();
      notice.withdraw();
      // The plan stays for a newer question about the file.
      const isAskedAgain = questions.choicesFor(file.toString()).length > 0;
      if (!isAskedAgain && states.get(file)?.reason !== "autosaved") closePlan(plans, file);
      return answer;
    },
  );
}

function closePlan(plans: PlanPages, file: vscode.Uri): void {
  if (openedPlans.delete(file.toString())) void plans.hide(file);
}

const SETTING = "assistantFlow.explorer.decorations";

const marks: Partial<Record<FlowSyncState["kind"], { readonly badge: string; readonly color: string }>> = {
  pending: { badge: "↑", color: "gitDecoration.modifiedResourceForeground" },
  syncing: { badge: "↑", color: "gitDecoration.modifiedResourceForeground" },
  diverged: { badge: "↓", color: "gitDecoration.modifiedResourceForeground" },
  conflict: { badge: "↕", color: "gitDecoration.conflictingResourceForeground" },
  blocked: { badge: "!", color: "list.errorForeground" },
  unauthorized: { badge: "!", color: "list.warningForeground" },
};

/** Marks flows in the Explorer with their sync state. A flow that is synced or unlinked has no mark. */
function showDecorations(states: SyncStates): vscode.Disposable {
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

interface Shown {
  readonly progress: OpenProgress;
  /** The percentage that was reported. */
  percent: number;
}

/**
 * Shows progress for pushes with several batches, which can be stopped between two. A single batch is too quick to
 * show.
 */
function showProgress(states: SyncStates, server: Server): vscode.Disposable {
  const shown = new Map<string, Shown>();
  return states.onDidChange((uri) => {
    const { kind, batch = 0, batches = 0 } = states.get(uri) ?? {};
    const key = uri.toString();
    if (kind !== "syncing" || batches < 2) {
      shown.get(key)?.progress.close();
      shown.delete(key);
      return;
    }
    const own = shown.get(key) ?? { progress: begin(uri, server), percent: 0 };
    shown.set(key, own);
    const percent = Math.max(own.percent, (100 * Math.max(0, batch - 1)) / batches);
    own.progress.report(vscode.l10n.t("batch {0} of {1}", batch, batches), percent - own.percent);
    own.percent = percent;
  });
}

function begin(uri: vscode.Uri, server: Server): OpenProgress {
  const title = vscode.l10n.t("Syncing {0}", vscode.workspace.asRelativePath(uri));
  // Batches that were sent aren't undone.
  return openProgress(title, vscode.l10n.t("Stop after This Batch"), () =>
    ask(server, SyncActionRequest, { uri: uri.toString(), action: "cancel" }),
  );
}

const LOOK_EVERY_MS = 45_000;
/** Limits requests while the user switches quickly; one more is made at the end. */
const AT_MOST_EVERY_MS = 2000;

/** States in which a check can find something new. The others change without it, or need the user first. */
const LOOKS_IN = new Set(["synced", "diverged", "pending"]);

/**
 * Checks for platform changes when the window or a flow becomes active, and slowly while it stays active, so that
 * "Synced" isn't shown for minutes after a colleague's push. It only reads, but a queued save is sent with it.
 */
function pollPlatform(states: SyncStates, activeFlow: ActiveFlow, server: Server): vscode.Disposable {
  const last = new Map<string, number>();
  let later: NodeJS.Timeout | undefined;
  const look = () => {
    const uri = activeFlow.uri && fileOf(activeFlow.uri);
    const state = uri && states.get(uri);
    if (!state || !vscode.window.state.focused || !LOOKS_IN.has(state.kind)) return;
    if (["offline", "site", "held", "asking"].includes(state.reason ?? "")) return;
    const now = Date.now();
    const wait = (last.get(state.uri) ?? 0) + AT_MOST_EVERY_MS - now;
    clearTimeout(later);
    if (wait > 0) {
      later = setTimeout(look, wait);
      return;
    }
    last.set(state.uri, now);
    // The sync state reports a failure.
    void ask(server, SyncActionRequest, { uri: state.uri, action: "look" }).catch(() => undefined);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return vscode.Disposable.from(
    {
      dispose: () => {
        clearInterval(timer);
        clearTimeout(later);
      },
    },
    vscode.window.onDidChangeWindowState(({ focused }) => focused && look()),
    activeFlow.onDidChange(look),
  );
}
