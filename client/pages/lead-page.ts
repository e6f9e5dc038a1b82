/** The page to call a lead. Each workflow has its own, so that input for one is never sent to another. */
import * as vscode from "vscode";
import type { CallingWorkflow } from "../../platform";
import { incomplete } from "../ui/checks";
import { hoursWarning } from "../views/workflows/hours";
import { fieldsFor, type Kind, type Lead, leadFor, leadName, leadProblems } from "../views/workflows/leads";
import { workflowName } from "../views/workflows/rows";
import type { Outcome } from "../views/workflows/start";
import type { FromLeadPage, LeadFormField, ToLeadPage } from "./messages";
import { RecordPages } from "./record-page";

interface LeadKey {
  readonly kind: Kind;
  readonly workflow: CallingWorkflow;
}

const LAST = "workflows.lead";
const identity = ({ kind, workflow }: LeadKey) => `${kind}/${workflow.id}`;

export function registerLeadPage(
  context: vscode.ExtensionContext,
  call: (workflow: CallingWorkflow, kind: Kind, lead: Lead) => Promise<Outcome>,
): (workflow: CallingWorkflow, kind: Kind, lead: Lead | undefined) => void {
  /** Leads to fill in when their page is ready. */
  const given = new Map<string, Lead>();
  const last = (kind: Kind) => {
    const lead = leadFor(kind, context.globalState.get<Lead>(LAST) ?? {});
    return Object.keys(lead).length > 0 ? lead : undefined;
  };
  const lastName = (kind: Kind) => {
    const lead = last(kind);
    return lead && leadName(lead);
  };
  const pages = new RecordPages<LeadKey, ToLeadPage, FromLeadPage>(context, {
    viewType: "assistantFlow.lead",
    bundle: "lead",
    identity,
    title: ({ kind, workflow }) =>
      `${kind === "execution" ? vscode.l10n.t("Start") : vscode.l10n.t("Call Inquiry")}: ${workflowName(workflow)}`,
    restore: (state) => (state as { key?: LeadKey } | undefined)?.key,
    serve: (key, page) => {
      const { kind, workflow } = key;
      const id = identity(key);
      let isSending = false;
      page.subscriptions.push(followNotes(workflow, (notes) => page.send({ type: "notes", notes })));
      const submit = async (lead: Lead) => {
        const wrong = leadProblems(lead);
        const { length } = Object.keys(wrong);
        if (length > 0)
          return page.send({
            type: "problems",
            problems: wrong,
            isFinal: true,
            message: incomplete(length),
          });
        // A second click while the confirmation is open must not call again.
        if (isSending) return;
        isSending = true;
        const outcome = await call(workflow, kind, lead).finally(() => {
          isSending = false;
        });
        if (outcome === "declined") return page.send({ type: "focus" });
        if (outcome === "shown") return;
        if (outcome === "sent") {
          await context.globalState.update(LAST, lead);
          const text =
            kind === "execution"
              ? vscode.l10n.t("Started for {0}.", leadName(lead))
              : vscode.l10n.t("Created for {0}.", leadName(lead));
          return page.send({ type: "sent", text, last: leadName(lead) });
        }
        const named = new Set(fieldsFor(kind).map(({ name }) => name as string));
        const whole = Object.entries(outcome).flatMap(([name, problem]) =>
          named.has(name) ? [] : name === "" ? [problem] : [`${name}: ${problem}`],
        );
        page.send({ type: "problems", problems: outcome, isFinal: true, message: whole.join(" ") });
      };
      return async (message) => {
        if (message.type === "ready") {
          const lead = given.get(id);
          given.delete(id);
          return page.send({
            type: "form",
            key,
            title: titleOf(key),
            notes: notesOf(workflow),
            fields: fieldsFor(kind).map(shownField),
            values: lead,
            last: lastName(kind),
          });
        }
        if (message.type === "repeat") {
          const lead = last(kind);
          return lead && page.send({ type: "fill", values: lead });
        }
        const lead = leadFor(kind, message.values);
        if (message.type === "submit") return submit(lead);
        page.send({ type: "problems", problems: leadProblems(lead), isFinal: false });
      };
    },
  });
  return (workflow, kind, lead) => {
    const key = { kind, workflow };
    const page = pages.get(key);
    if (lead && page) page.send({ type: "fill", values: lead });
    else if (lead) given.set(identity(key), lead);
    pages.show(key);
  };
}

function titleOf({ kind, workflow }: LeadKey): string {
  const name = workflowName(workflow);
  return kind === "execution"
    ? vscode.l10n.t('Start "{0}" for a lead', name)
    : vscode.l10n.t('Call inquiry for "{0}"', name);
}

/** Calling hours begin and end while the form is open. */
const NOTES_MS = 15_000;

/** Sends the notes of a workflow when they change. */
export function followNotes(workflow: CallingWorkflow, send: (notes: readonly string[]) => void): vscode.Disposable {
  let shown = notesOf(workflow).join("\n");
  const timer = setInterval(() => {
    const notes = notesOf(workflow);
    if (notes.join("\n") === shown) return;
    shown = notes.join("\n");
    send(notes);
  }, NOTES_MS);
  return { dispose: () => clearInterval(timer) };
}

function notesOf(workflow: CallingWorkflow): string[] {
  return [
    hoursWarning(workflow, Date.now()) ?? vscode.l10n.t("Within the workflow's calling hours."),
    ...(workflow.active === false
      ? [vscode.l10n.t("This workflow is inactive; the platform may reject the call.")]
      : []),
  ];
}

/** Drops the check, which runs in the extension. */
function shownField({ name, label, group, placeholder, required, isLong }: LeadFormField): LeadFormField {
  return {
    name,
    label,
    group,
    ...(placeholder ? { placeholder } : {}),
    ...(required ? { required } : {}),
    ...(isLong ? { isLong } : {}),
  };
}
