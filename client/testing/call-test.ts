/**
 * *Create Test from This Call…*: creates a test from the path that a call took through a flow. The call is sent only to
 * the local language server, which replaces personal data before anything is written.
 */
import * as vscode from "vscode";
import type { Call, CallEndedReason } from "../../platform";
import type { CallView, NewTests, NoNewTests } from "../../server/test-messages";
import { chooseFlow, flowsIn } from "../active-flow";
import { flowOfCall, idOfCall } from "../calls/call-flows";
import type { Session } from "../connections";
import type { Server } from "../server";
import { inform, onCommand, withNotice } from "../ui/notice";
import { isLive } from "../views/calls/rows";
import { openNewTests } from "./create-test";
import type { TestServer } from "./test-server";

/** The callee didn't talk to the assistant, so no flow ran. */
const UNANSWERED: readonly CallEndedReason[] = ["NO_ANSWER", "LINE_BUSY", "BAD_NUMBER", "LEFT_VOICEMAIL"];

export function registerCallTest(
  context: vscode.ExtensionContext,
  session: Session,
  server: Server,
  tests: TestServer,
): void {
  onCommand(context, "createTestFromCall", async (target?: unknown) => {
    const id = idOfCall(target);
    if (id === undefined) return;
    const call = await withNotice(vscode.l10n.t("Loading call…"), (signal) => session.client.getCall(id, { signal }));
    if (isLive(call))
      return void inform(vscode.l10n.t("The call is still in progress. Create the test when it has ended."));
    if (UNANSWERED.some((reason) => reason === call.callEndedReason))
      return void inform(vscode.l10n.t("This call wasn't answered, so no flow was run."));
    const flow = await flowOfCall(call, session.client, server);
    const view = callView(call);
    const made = flow ? await tests.create(flow, { kind: "call", call: view }) : await chooseFitting(tests, view);
    if (made && (await openNewTests(made)) && "isDraft" in made && made.isDraft)
      void inform(vscode.l10n.t("Several paths fit this call. The undecided parts are marked in the test."));
  });
}

/** Beyond this many flows, the user chooses one without a hint about which flows fit. */
const MOST_TRIED = 50;

/** Tries the call on every flow and lets the user choose: matching flows first, the others with a reason. */
async function chooseFitting(tests: TestServer, call: CallView): Promise<NewTests | NoNewTests | undefined> {
  const title = vscode.l10n.t("Create Test from Call");
  const create = (flow: vscode.Uri) => tests.create(flow, { kind: "call", call });
  const flows = await flowsIn();
  if (flows.length < 2 || flows.length > MOST_TRIED) {
    const flow = await chooseFlow(title);
    return flow && create(flow);
  }
  const tried = await withNotice(vscode.l10n.t("Looking for flows that fit the call…"), async (signal) => {
    const rows: (vscode.QuickPickItem & { readonly flow: vscode.Uri; readonly made: NewTests | NoNewTests })[] = [];
    for (const flow of flows) {
      if (signal.aborted) return undefined;
      rows.push({ flow, ...fitRow(vscode.workspace.asRelativePath(flow), await create(flow)) });
    }
    return rows.sort((a, b) => rank(a.made) - rank(b.made));
  });
  const placeHolder = tried?.some(({ made }) => fits(made))
    ? vscode.l10n.t("Select a flow")
    : vscode.l10n.t("No flow fits this call");
  const chosen = tried && (await vscode.window.showQuickPick(tried, { title, placeHolder, matchOnDetail: true }));
  // Files may have changed while the list was open, so the position is computed again.
  return chosen && create(chosen.flow);
}

function fitRow(label: string, made: NewTests | NoNewTests) {
  if ("problem" in made && !made.same)
    return { label: `$(circle-slash) ${label}`, detail: made.reason ?? made.problem, made };
  const detail =
    "problem" in made
      ? made.problem
      : made.isDraft
        ? vscode.l10n.t("Several paths fit the call.")
        : vscode.l10n.t("One path fits the call.");
  return { label: `$(check) ${label}`, detail, made };
}

function fits(made: NewTests | NoNewTests): boolean {
  return !("problem" in made) || made.same !== undefined;
}

function rank(made: NewTests | NoNewTests): number {
  if (!fits(made)) return 2;
  return "isDraft" in made && made.isDraft ? 1 : 0;
}

function callView(call: Call): CallView {
  const texts = (...values: unknown[]) => values.filter((value): value is string => typeof value === "string");
  const { firstName, lastName } = call;
  return {
    variables: call.variables ?? {},
    reason: call.callEndedReason,
    endedBy: call.callEndedBy,
    ended: call.callEndedReason === "WARM_TRANSFER" ? "transfer" : "end",
    turns: (call.transcript ?? []).map(({ text = "", user = "" }) => ({ text, user })),
    names: texts(firstName, lastName),
    says: vscode.workspace.getConfiguration("assistantFlow").get("tests.callerWords", false),
  };
}
