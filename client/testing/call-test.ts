/**
 * *Create Test from This Call…*: the run of a flow that agrees with a call, as a test. The call goes to the language server on
 * this computer and nowhere else; what tells of the person is replaced there, before there is any text to write.
 */
import * as vscode from "vscode";
import type { Call, CallEndedReason } from "../../platform";
import type { CallView } from "../../server/test-messages";
import { chooseFlow } from "../choose-flow";
import type { Session } from "../connections";
import { onCommand, withNotice } from "../ui/act";
import { inform } from "../ui/notice";
import { isLive } from "../views/calls/rows";
import { openNewTests } from "./create-test";
import type { TestServer } from "./test-server";

/** Nobody spoke with the assistant, so no flow was run. */
const UNANSWERED: readonly CallEndedReason[] = ["NO_ANSWER", "LINE_BUSY", "BAD_NUMBER", "LEFT_VOICEMAIL"];

export function registerCallTest(context: vscode.ExtensionContext, session: Session, tests: TestServer): void {
  onCommand(context, "createTestFromCall", async (target?: unknown) => {
    const id = idOf(target);
    if (id === undefined) return;
    const call = await withNotice(vscode.l10n.t("Loading call…"), (signal) => session.client.getCall(id, { signal }));
    if (isLive(call))
      return void inform(vscode.l10n.t("The call is still in progress. Create the test when it has ended."));
    if (UNANSWERED.some((reason) => reason === call.callEndedReason))
      return void inform(vscode.l10n.t("Nobody answered this call, so no flow was run."));
    const flow = await chooseFlow(vscode.l10n.t("Create Test from Call"));
    if (!flow) return;
    const made = await tests.create(flow, { kind: "call", call: callView(call) });
    if ((await openNewTests(made)) && "isDraft" in made && made.isDraft)
      void inform(vscode.l10n.t("Several paths fit this call. What isn't decided is marked in the test."));
  });
}

/** A row of the sidebar, or the ID of a call. */
function idOf(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  const thing = (target as { readonly thing?: Partial<Call> } | undefined)?.thing;
  return thing?.id;
}

function callView(call: Call): CallView {
  const texts = (...values: unknown[]) => values.filter((value): value is string => typeof value === "string");
  const { firstName, lastName } = call;
  return {
    variables: call.variables ?? {},
    ended: call.callEndedReason === "WARM_TRANSFER" ? "transfer" : "end",
    turns: (call.transcript ?? []).map(({ text = "", user = "" }) => ({ text, user })),
    names: texts(firstName, lastName),
    says: vscode.workspace.getConfiguration("assistantFlow").get("tests.callerWords", false),
  };
}
