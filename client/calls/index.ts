/** Calls and flows: the path of a call through its flow, and *Debug This Call*. */
import * as vscode from "vscode";
import type { Call } from "../../platform";
import { ask } from "../../server/messages";
import { type CallPathView, TraceCallRequest } from "../../server/test-messages";
import type { Session } from "../connections";
import type { Server } from "../server";
import { unsavedTexts } from "../testing/test-server";
import { inform, onCommand, withNotice } from "../ui/notice";
import { isLive } from "../views/calls/rows";
import { chooseFlowOfCall, flowOfCall, idOfCall } from "./call-flows";

export { chooseFlowOfCall, flowOfCall, workflowsOf } from "./call-flows";

export function registerCallTraces(context: vscode.ExtensionContext, session: Session, server: Server): void {
  onCommand(context, "debugCall", async (target?: unknown) => {
    const id = idOfCall(target);
    if (id === undefined) return;
    const { client } = session;
    const [call, known] = await withNotice(vscode.l10n.t("Loading call…"), async (signal) => {
      const loaded = await client.getCall(id, { signal });
      return [loaded, isLive(loaded) ? undefined : await flowOfCall(loaded, client, server, signal)] as const;
    });
    if (isLive(call)) return void inform(vscode.l10n.t("The call is still in progress. Debug it when it has ended."));
    const flow = known ?? (await chooseFlowOfCall(call));
    if (!flow) return;
    const path = await pathOfCall(server, flow, call);
    const name = vscode.workspace.asRelativePath(flow);
    if (!path) return void inform(vscode.l10n.t('"{0}" can\'t run because of its errors.', name));
    if (path.steps.length === 0)
      return void inform(vscode.l10n.t('The path of this call through "{0}" isn\'t known.', name));
    const nodes = path.steps.map(({ node }) => node);
    await vscode.commands.executeCommand("assistantFlow.debugPath", flow.toString(), nodes, call.variables ?? {});
  });
}

/** Null if the flow can't run. The call goes to the language server on this computer only. */
export async function pathOfCall(server: Server, flow: vscode.Uri, call: Call): Promise<CallPathView | null> {
  return ask(server, TraceCallRequest, { flow: flow.toString(), call: tracedFields(call), unsaved: unsavedTexts() });
}

/** What tracing uses of a call. */
export function tracedFields({ id, transcript, variables, callEndedReason, callEndedBy }: Call): unknown {
  return { id, transcript, variables, callEndedReason, callEndedBy };
}
