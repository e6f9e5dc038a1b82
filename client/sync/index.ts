/** Sync as VS Code shows it: the status item, source control, plans, questions; the engine itself runs in the server. */
import * as vscode from "vscode";
import { ConfirmRequest, ConnectionChanged, type PlanView, SaveRequest } from "../../server/messages";
import type { Session } from "../connections";
import type { Server } from "../server";
import { warn } from "../ui/notice";
import { registerSyncCommands } from "./commands";
import { showNotices } from "./notices";
import { showProgress } from "./progress";
import { showSourceControl } from "./source-control";
import { SyncStates } from "./states";
import { showSyncStatus } from "./status";
import { FlowTexts, showText } from "./texts";

export type { SyncStates } from "./states";

export function registerSync(context: vscode.ExtensionContext, server: Server, session: Session): SyncStates {
  const states = new SyncStates(server);
  const tellConnection = () => void server.sendNotification(ConnectionChanged.method, { address: session.address });
  context.subscriptions.push(
    states,
    new FlowTexts(server, states),
    showSyncStatus(states),
    showSourceControl(states),
    showNotices(states),
    showProgress(states, server),
    session.onDidChange(tellConnection),
    server.onRequest(SaveRequest.method, async ({ uri }: { uri: string }) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
      return document.save();
    }),
    server.onRequest(ConfirmRequest.method, (question: { uri: string; reason: Reason; plan: PlanView }) =>
      confirm(context, question),
    ),
  );
  registerSyncCommands(context, server, states);
  return states;
}

type Reason = "first-push" | "removes-many" | "save";

const why: Record<Reason, string> = {
  "first-push": "was never sent to the platform. Send it? The platform's flow becomes what the file says.",
  "removes-many": "takes away more than a fifth of the nodes. Send it?",
  save: "has changes for the platform. Send them?",
};

/** Asks once, with the plan in sight. Only the first push can be agreed to for good. */
async function confirm(
  context: vscode.ExtensionContext,
  { uri, reason, plan }: { uri: string; reason: Reason; plan: PlanView },
): Promise<boolean> {
  const file = vscode.Uri.parse(uri);
  const remembered = `agreed:${uri}`;
  if (reason === "first-push" && context.workspaceState.get<boolean>(remembered)) return true;
  await showText(file, "plan", { preserveFocus: true });
  const question = `${vscode.workspace.asRelativePath(file)} ${why[reason]} (${plan.summary})`;
  const choices = reason === "first-push" ? ["Send", "Send, and Remember for This File"] : ["Send"];
  const answer = await warn(question, ...choices, "Not Now");
  if (answer === choices[1]) await context.workspaceState.update(remembered, true);
  return answer !== undefined && choices.includes(answer);
}
