/** The calling workflows view: lists all workflows and starts executions. */
import * as vscode from "vscode";
import { type CallingWorkflow, safeText, type WorkflowQuery } from "../../../platform";
import type { Session } from "../../connections";
import { registerLeadPage } from "../../pages/lead-page";
import { inform, onCommand } from "../../ui/notice";
import type { Row } from "../../ui/row";
import { plural } from "../../ui/words";
import type { CallsView } from "../calls";
import { ListView } from "../tree";
import type { Kind } from "./leads";
import { workflowName, workflowRows } from "./rows";
import { callLead, type Starting, startFor } from "./start";

type Shown = "all" | "active" | "inactive";
interface Workflows {
  readonly list: readonly CallingWorkflow[];
  /** False while more pages are loading. */
  readonly whole: boolean;
}

const SHOWN = "workflows.shown";

const statusNames: Readonly<Record<Shown, string>> = {
  all: vscode.l10n.t("All"),
  active: vscode.l10n.t("Active"),
  inactive: vscode.l10n.t("Inactive"),
};

export function registerWorkflows(context: vscode.ExtensionContext, session: Session, calls: CallsView): void {
  let shown: Shown = context.workspaceState.get<Shown>(SHOWN) ?? "all";
  const view = new ListView<Workflows>(context, session, {
    name: "workflows",
    things: vscode.l10n.t("workflows"),
    empty: vscode.l10n.t("No calling workflows."),
    load: async (signal, partial) => {
      const active: WorkflowQuery = shown === "all" ? {} : { active: shown === "active" ? "true" : "false" };
      const list: CallingWorkflow[] = [];
      for await (const workflow of session.client.workflows({ ...active, limit: "100" }, { signal })) {
        list.push(workflow);
        if (list.length % 100 === 0) partial({ list: [...list], whole: false });
      }
      return { list, whole: true };
    },
    rows: ({ list }, now) => workflowRows(list, now),
    note: (data) =>
      [
        shown === "all" ? undefined : vscode.l10n.t("Status: {0}", statusNames[shown]),
        data && !data.whole
          ? vscode.l10n.t(
              "{0} so far, loading more…",
              plural(data.list.length, vscode.l10n.t("workflow"), vscode.l10n.t("workflows")),
            )
          : undefined,
      ]
        .filter(Boolean)
        .join(" · "),
  });
  const starting: Starting = {
    session,
    refreshCalls: () => calls.refresh(),
    openForm: registerLeadPage(context, (workflow, kind, lead) => callLead(starting, workflow, kind, lead)),
  };
  const start = async (kind: Kind, args: readonly unknown[]) => {
    const [selected] = await view.chosen(args, "workflow");
    const workflow = isWorkflow(selected) ? (selected?.thing as CallingWorkflow) : await pickWorkflow(session, view);
    if (workflow) await startFor(starting, workflow, kind);
  };
  onCommand(context, "startExecution", (...args) => start("execution", args));
  onCommand(context, "createCall", (...args) => start("inquiry", args));
  onCommand(context, "workflows.show", async () => {
    const rows = (["all", "active", "inactive"] as const).map((value) => ({
      label: statusNames[value],
      description: value === shown ? vscode.l10n.t("current") : "",
      value,
    }));
    const row = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t("Filter by Status") });
    if (!row) return;
    shown = row.value;
    await context.workspaceState.update(SHOWN, shown);
    await view.reload();
  });
  onCommand(context, "showWorkflow", async (id?: string | Row) => {
    const workflowId = typeof id === "string" ? id : id?.copy;
    if (!workflowId) return;
    await vscode.commands.executeCommand("assistantFlow.workflows.focus");
    if (!(await view.reveal(`workflow/${workflowId}`)))
      void inform(vscode.l10n.t("Workflow {0} isn't in the current list.", workflowId));
  });
}

function isWorkflow(row: Row | undefined): boolean {
  return row?.context?.startsWith("workflow") ?? false;
}

async function pickWorkflow(session: Session, view: ListView<Workflows>): Promise<CallingWorkflow | undefined> {
  if (!session.canAsk) {
    await vscode.commands.executeCommand("assistantFlow.switchConnection");
    return undefined;
  }
  if (view.data === undefined) await view.refresh();
  const rows = (view.data?.list ?? [])
    .filter(({ active }) => active !== false)
    .map((workflow) => ({
      label: workflowName(workflow),
      description: safeText(workflow.description ?? ""),
      workflow,
    }));
  return (
    await vscode.window.showQuickPick(rows, { title: vscode.l10n.t("Select a Workflow"), matchOnDescription: true })
  )?.workflow;
}
