/** Shows a notification until an execution's call ends. */
import * as vscode from "vscode";
import { type Call, safeText, type WorkflowExecution } from "../../../platform";
import type { Session } from "../../connections";
import { withNotice } from "../../ui/act";
import { inform } from "../../ui/notice";
import { plainWords } from "../../ui/words";
import { waitForCallEnd } from "./call-end";

export async function followExecution(
  { session, refreshCalls }: { readonly session: Session; readonly refreshCalls: () => Promise<void> },
  execution: WorkflowExecution,
  name: string,
): Promise<void> {
  const call = await withNotice(
    vscode.l10n.t("Calling {0}", name),
    (signal, report) => waitForCallEnd(session.client, execution.id, signal, (seen) => report(progressOf(seen))),
    // The call itself can't be ended from VS Code.
    vscode.l10n.t("Stop Watching"),
  );
  await refreshCalls();
  if (!call) {
    void inform(vscode.l10n.t("The workflow for {0} is still running. See the Calls view.", name));
    return;
  }
  const choice = await inform(
    vscode.l10n.t("The call with {0} ended: {1}.", name, plainWords(call.callEndedReason ?? "ended")),
    vscode.l10n.t("Open Call"),
  );
  if (choice) await vscode.commands.executeCommand("assistantFlow.openCall", call.id);
}

function progressOf(call: Call | undefined): string {
  if (!call) return vscode.l10n.t("started");
  const last = call.transcript?.at(-1);
  if (!last?.text) return plainWords(call.status ?? "calling");
  const text = safeText(last.text, 120);
  // VS Code puts a colon before it.
  return !last.user || last.user === "system" ? text : vscode.l10n.t('{0} said "{1}"', plainWords(last.user), text);
}
