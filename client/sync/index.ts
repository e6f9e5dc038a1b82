/** Sync as VS Code shows it: the status item, source control, plans, questions; the engine itself runs in the server. */
import * as vscode from "vscode";
import { ConfirmRequest, ConnectionChanged, SaveRequest, type SendQuestion } from "../../server/messages";
import type { Session } from "../connections";
import type { FlowInFront } from "../flow-in-front";
import type { Server } from "../server";
import { warn } from "../ui/notice";
import { registerSyncCommands } from "./commands";
import { showNotices } from "./notices";
import { showProgress } from "./progress";
import { askToSend } from "./questions";
import { showSourceControl } from "./source-control";
import { SyncStates } from "./states";
import { showSyncStatus } from "./status";
import { FlowTexts, showText } from "./texts";

export type { SyncStates } from "./states";

export function registerSync(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  front: FlowInFront,
): SyncStates {
  const states = new SyncStates(server);
  const tellConnection = () => void server.sendNotification(ConnectionChanged.method, { address: session.address });
  context.subscriptions.push(
    states,
    new FlowTexts(server, states),
    showSyncStatus(states, front),
    showSourceControl(states),
    showNotices(states),
    showProgress(states, server),
    session.onDidChange(tellConnection),
    server.onRequest(SaveRequest.method, async ({ uri }: { uri: string }) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
      return document.save();
    }),
    server.onRequest(ConfirmRequest.method, (question: SendQuestion) => confirm(context, question)),
  );
  registerSyncCommands(context, server, states, front);
  return states;
}

/** Asks with the plan in sight. */
function confirm(context: vscode.ExtensionContext, question: SendQuestion): Promise<boolean> {
  const file = vscode.Uri.parse(question.uri);
  return askToSend(question, vscode.workspace.asRelativePath(file), context.workspaceState, async (text, choices) => {
    await showText(file, "plan", { preserveFocus: true });
    return warn(text, ...choices);
  });
}
