/** Shows a notification until an execution's call ends. */
import * as vscode from "vscode";
import { type Call, type PlatformClient, PlatformError, safeText, type WorkflowExecution } from "../../../platform";
import type { Session } from "../../connections";
import { withNotice } from "../../ui/act";
import { inform } from "../../ui/notice";
import { plainWords } from "../../ui/words";
import { isLive } from "../calls/rows";

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

const POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
const GIVE_UP_MS = 15 * 60_000;

/**
 * Returns the execution's first call once it has ended; undefined if cancelled. The API can't read an execution, so its call
 * is searched for among the newest calls.
 */
export async function waitForCallEnd(
  client: PlatformClient,
  execution: string,
  signal: AbortSignal,
  report: (call: Call | undefined) => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<Call | undefined> {
  let id: string | undefined;
  let wait = POLL_MS;
  let lastState = "";
  for (let waited = 0; waited < GIVE_UP_MS && !signal.aborted; waited += wait) {
    try {
      const found = id === undefined ? await callOf(client, execution, signal) : await client.getCall(id, { signal });
      id = found?.id ?? id;
      const state = `${found?.status}/${found?.transcript?.length}`;
      wait = state === lastState ? Math.min(MAX_POLL_MS, wait * 1.5) : POLL_MS;
      lastState = state;
      report(found);
      if (found && !isLive(found)) return found;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // A failed poll doesn't end the call, so try again later.
      wait = Math.min(MAX_POLL_MS, wait * 2);
    }
    await pause(wait);
  }
  return undefined;
}

async function callOf(client: PlatformClient, execution: string, signal: AbortSignal): Promise<Call | undefined> {
  const { calls } = await client.listCalls({}, { signal });
  return calls.find(({ workflowExecutionId }) => workflowExecutionId === execution);
}
