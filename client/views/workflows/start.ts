/**
 * Starts an execution or a call inquiry for a lead. Before anything is sent, the user confirms the lead, the connection,
 * and whether the call is outside of calling hours. Input is kept if the platform rejects it.
 */
import * as vscode from "vscode";
import type { Call, CallingWorkflow, PlatformClient, WorkflowExecution } from "../../../platform";
import { PlatformError, safeText } from "../../../platform";
import type { Session } from "../../connections";
import { problemsByField } from "../../ui/checks";
import { setContext } from "../../ui/context";
import { confirm as ask, inform, showError, warn, withNotice } from "../../ui/notice";
import { plainWords, plural } from "../../ui/words";
import { isLive } from "../calls/rows";
import { hoursWarning } from "./hours";
import { type Kind, type Lead, leadFor, leadName, leadProblems, leadsIn } from "./leads";
import { workflowName } from "./rows";

export interface Starting {
  readonly session: Session;
  readonly refreshCalls: () => Promise<void>;
  /** Opens the form for one lead, with the given values or the ones left from last time. */
  readonly openForm: (workflow: CallingWorkflow, kind: Kind, lead: Lead | undefined) => void;
}

export async function startFor(starting: Starting, workflow: CallingWorkflow, kind: Kind): Promise<void> {
  const chosen = await chooseLeads();
  if (chosen === undefined) return;
  const leads = chosen.map((lead) => leadFor(kind, lead));
  if (leads.length > 1) return startMany(starting, workflow, kind, leads);
  starting.openForm(workflow, kind, leads[0]);
}

/** Finds leads in the editor's selection; empty for an empty form. Undefined if the user cancels. */
async function chooseLeads(): Promise<readonly Lead[] | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const isData = /\.(json|csv|tsv|txt)$/i.test(editor.document.fileName) || editor.document.isUntitled;
  const text = editor.selection.isEmpty
    ? isData
      ? editor.document.getText()
      : ""
    : editor.document.getText(editor.selection);
  const found = leadsIn(text).filter((lead) => lead.primaryPhone !== undefined);
  if (found.length === 0) return [];
  const file = vscode.workspace.asRelativePath(editor.document.uri);
  const rows = [
    ...found.map((lead) => ({
      label: leadName(lead),
      description: lead.primaryPhone ?? "",
      lead,
      picked: found.length === 1,
    })),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("{0} in {1}", plural(found.length, vscode.l10n.t("Lead"), vscode.l10n.t("Leads")), file),
    placeHolder: vscode.l10n.t("Select leads to call, or none for a blank form"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ lead }) => lead);
}

/** What the user chose before a call: to call, not to call, or to see the workflow instead. */
type Choice = "call" | "declined" | "shown";

/** The result for a lead: sent, what the user chose instead, or the platform's errors by field. */
export type Outcome = "sent" | Exclude<Choice, "call"> | Readonly<Record<string, string>>;

/** Asks for confirmation and sends. Only fields that the form shows are sent. */
export async function callLead(
  starting: Starting,
  workflow: CallingWorkflow,
  kind: Kind,
  lead: Lead,
): Promise<Outcome> {
  const choice = await confirm(starting.session, workflow, kind, [lead]);
  if (choice !== "call") return choice;
  try {
    await send(starting, workflow, kind, lead);
    return "sent";
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return problemsByField(error, "");
  }
}

async function startMany(
  starting: Starting,
  workflow: CallingWorkflow,
  kind: Kind,
  leads: readonly Lead[],
): Promise<void> {
  const wrong = leads.flatMap((lead) =>
    Object.values(leadProblems(lead)).map((problem) => `${leadName(lead)}: ${problem}`),
  );
  if (wrong.length > 0)
    return void showError(
      vscode.l10n.t(
        "Nothing was sent. {0}{1}",
        wrong.slice(0, 3).join(" "),
        wrong.length > 3 ? vscode.l10n.t(" And {0} more.", wrong.length - 3) : "",
      ),
    );
  if ((await confirm(starting.session, workflow, kind, leads)) !== "call") return;
  let started = 0;
  const startAll = async (signal: AbortSignal, report: (message: string) => void) => {
    for (const [index, lead] of leads.entries()) {
      if (signal.aborted)
        return void warn(
          vscode.l10n.t(
            "Stopped after {0} of {1}.",
            index,
            plural(leads.length, vscode.l10n.t("lead"), vscode.l10n.t("leads")),
          ),
        );
      report(vscode.l10n.t("{0} of {1}: {2}", index + 1, leads.length, leadName(lead)));
      try {
        await request(starting, workflow, kind, lead);
        started++;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        const left = leads.length - index - 1;
        const choice = await showError(
          vscode.l10n.t("{0} wasn't started. {1}", leadName(lead), error.message),
          ...(left > 0
            ? [vscode.l10n.t("Continue with {0}", plural(left, vscode.l10n.t("Lead"), vscode.l10n.t("Leads")))]
            : []),
        );
        if (!choice) return;
      }
    }
  };
  const title = vscode.l10n.t('Starting "{0}"', workflowName(workflow));
  // Calls that were started aren't ended.
  await withNotice(title, startAll, vscode.l10n.t("Stop after This Lead"));
  await starting.refreshCalls();
  const calls =
    kind === "execution"
      ? plural(started, vscode.l10n.t("call"), vscode.l10n.t("calls"))
      : plural(started, vscode.l10n.t("call inquiry"), vscode.l10n.t("call inquiries"));
  if (started > 0) void inform(vscode.l10n.t("Started {0}. See the Calls view.", calls));
}

/** The confirmation before a call is placed. */
async function confirm(
  session: Session,
  workflow: CallingWorkflow,
  kind: Kind,
  leads: readonly Lead[],
): Promise<Choice> {
  const [first] = leads;
  const who = (lead: Lead) =>
    vscode.l10n.t("{0} at {1}", leadName(lead), lead.primaryPhone ?? vscode.l10n.t("no number"));
  const question =
    leads.length === 1 && first
      ? vscode.l10n.t("Call {0}?", who(first))
      : vscode.l10n.t("Call {0}?", plural(leads.length, vscode.l10n.t("person"), vscode.l10n.t("people")));
  const { connection } = session;
  const outside = hoursWarning(workflow, Date.now());
  const detail = [
    ...(leads.length > 1
      ? [
          `${leads.slice(0, 8).map(who).join("\n")}${leads.length > 8 ? vscode.l10n.t("\nand {0} more", leads.length - 8) : ""}`,
        ]
      : []),
    kind === "execution"
      ? vscode.l10n.t('This starts the workflow "{0}".', workflowName(workflow))
      : vscode.l10n.t('This creates a call inquiry for the workflow "{0}".', workflowName(workflow)),
    vscode.l10n.t(
      'The connection "{0}" places calls through {1}.',
      connection?.name ?? "",
      connection?.workflowBaseUrl ?? "",
    ),
    outside ?? vscode.l10n.t("Within the workflow's calling hours."),
    ...(workflow.active === false
      ? [vscode.l10n.t("This workflow is inactive; the platform may reject the call.")]
      : []),
  ].join("\n\n");
  const go = leads.length === 1 ? vscode.l10n.t("Call Now") : vscode.l10n.t("Call All {0}", leads.length);
  // Enter chooses the first button. Outside of calling hours, that must not be the call.
  const show = vscode.l10n.t("Show Workflow");
  const choice = await ask(question, detail, ...(outside === undefined ? [go] : [show, go]));
  // The calling hours may have ended while the question was open.
  if (choice === go && outside === undefined && hoursWarning(workflow, Date.now()) !== undefined)
    return confirm(session, workflow, kind, leads);
  if (choice !== show) return choice === go ? "call" : "declined";
  await vscode.commands.executeCommand("assistantFlow.showWorkflow", workflow.id);
  return "shown";
}

async function send(starting: Starting, workflow: CallingWorkflow, kind: Kind, lead: Lead): Promise<void> {
  const name = leadName(lead);
  const made = await withNotice(
    vscode.l10n.t("Calling {0}", name),
    () => request(starting, workflow, kind, lead),
    false, // The phone may already be ringing.
  );
  await starting.refreshCalls();
  if (made.kind === "execution") void followExecution(starting, made.execution, name);
  else void showInquirySent(name, made.inquiry);
}

async function showInquirySent(name: string, { id, status }: { id?: string; status?: string }): Promise<void> {
  const choice = await inform(
    vscode.l10n.t("Created the call inquiry for {0}{1}.", name, status ? `: ${plainWords(status)}` : ""),
    ...(id ? [vscode.l10n.t("Open Call")] : []),
  );
  if (choice) await vscode.commands.executeCommand("assistantFlow.openCall", id);
}

/** Sent once and never cancelled: the phone may already be ringing. */
async function request({ session }: Starting, workflow: CallingWorkflow, kind: Kind, lead: Lead) {
  const made =
    kind === "inquiry"
      ? ({ kind, inquiry: await session.client.createCall({ ...lead, workflowId: workflow.id }) } as const)
      : ({ kind, execution: await session.client.createExecution(workflow.id, lead) } as const);
  // Completes a step of the walkthrough.
  void setContext("hasCalled", true);
  return made;
}

/** Shows a notification until an execution's call ends. */
async function followExecution(
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
  const { callEndedReason: reason = "ENDED" } = call;
  const text =
    reason === "ENDED"
      ? vscode.l10n.t("The call with {0} ended.", name)
      : vscode.l10n.t("The call with {0} ended: {1}.", name, plainWords(reason));
  const choice = await inform(text, vscode.l10n.t("Open Call"));
  if (choice) await vscode.commands.executeCommand("assistantFlow.openCall", call.id);
}

export function progressOf(call: Call | undefined): string {
  if (!call) return vscode.l10n.t("started");
  const last = call.transcript?.at(-1);
  if (!last?.text) return plainWords(call.status ?? "calling");
  const text = safeText(last.text, 120);
  // VS Code puts a colon before it.
  return !last.user || last.user === "system" ? text : vscode.l10n.t('{0} said "{1}"', speaker(last.user), text);
}

function speaker(user: string): string {
  if (/^(agent|assistant|ai|bot)$/i.test(user)) return vscode.l10n.t("Assistant");
  if (/^(user|lead|caller|customer|human)$/i.test(user)) return vscode.l10n.t("Caller");
  return plainWords(user).replace(/^./, (first) => first.toUpperCase());
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
