/** Shows sync in VS Code: status, source control, plans, and questions. The sync engine runs in the server. */
import * as vscode from "vscode";
import { ConnectionChanged } from "../../server/environment-messages";
import { ConfirmRequest, type FlowSyncState, SaveRequest, type SendQuestion } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import { type Session, usesSandbox } from "../connections";
import type { Server } from "../server";
import { showUntilWithdrawn } from "../ui/notice";
import { FLOW_PATTERN, openIfExists } from "../ui/workspace-files";
import { registerSyncCommands } from "./commands";
import { showConflicts } from "./conflicts";
import { showDecorations } from "./decorations";
import { showNotices } from "./notices";
import { PlanPages } from "./plan-page";
import { pollPlatform } from "./poll-platform";
import { showProgress } from "./progress";
import { askToSend, NOT_NOW, OpenQuestions } from "./questions";
import { showSourceControl } from "./source-control";
import { SyncStates } from "./states";
import { showSyncStatus } from "./status";
import { FlowTexts } from "./texts";

export { compileWords, isCompileFailed } from "./state-words";
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
  const plans = new PlanPages(context, server, questions, activeFlow, outdated.event);
  const sendConnection = () => void server.sendNotification(ConnectionChanged.method, session.info);
  context.subscriptions.push(
    states,
    files,
    outdated,
    states.onDidChange(() => outdated.fire()),
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
    server.onRequest(ConfirmRequest.method, (question: SendQuestion) =>
      confirm(context, questions, plans, states, question),
    ),
    plans,
  );
  registerSyncCommands(context, server, { states, questions, plans, activeFlow });
  return states;
}

/** Flows whose plan was opened for a question, not by the user. */
const openedPlans = new Set<string>();

/** States in which a question about a push no longer matters. */
const settled: readonly FlowSyncState["kind"][] = ["synced", "unlinked", "conflict"];

/** Asks while showing the plan, which closes with the question unless it was open before. */
function confirm(
  context: vscode.ExtensionContext,
  questions: OpenQuestions,
  plans: PlanPages,
  states: SyncStates,
  question: SendQuestion,
): Promise<boolean> {
  const file = vscode.Uri.parse(question.uri);
  return askToSend(question, vscode.workspace.asRelativePath(file), context.workspaceState, async (text, choices) => {
    if (!plans.isOpen(file)) openedPlans.add(question.uri);
    plans.show(file);
    // An editor that ignores the button's label calls it "Cancel", so the button is the choice that sends nothing.
    const notice = showUntilWithdrawn(text, NOT_NOW, ...choices.filter((choice) => choice !== NOT_NOW));
    const changes = states.onDidChange((uri) => {
      const kind = states.get(uri)?.kind;
      if (uri.toString() === file.toString() && kind && settled.includes(kind)) notice.withdraw();
    });
    const answer = await questions.wait(file.toString(), choices, notice.choice, text);
    changes.dispose();
    notice.withdraw();
    // The plan stays for a newer question about the file.
    if (questions.choicesFor(file.toString()).length > 0) return answer;
    if (openedPlans.delete(question.uri)) plans.hide(file);
    return answer;
  });
}
