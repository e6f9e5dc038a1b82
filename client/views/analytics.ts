/** The analytics view: embedding spend per knowledge base, with a link to the page with the chart. */
import * as vscode from "vscode";
import { PlatformError } from "../../platform";
import type { Session } from "../connections";
import { onCommand } from "../ui/act";
import { problemsByField } from "../ui/checks";
import { editForm, type FormValues } from "../ui/forms";
import { isCut, type Spend, spendFields, spendQuery, spendRows } from "./spend-rows";
import { ListView } from "./tree";

const ASKED = "analytics.query";

export function registerAnalytics(context: vscode.ExtensionContext, session: Session): void {
  let values: FormValues = context.workspaceState.get<FormValues>(ASKED) ?? {};
  const load = async (asked: FormValues, signal?: AbortSignal): Promise<Spend> => {
    const query = spendQuery(asked, Date.now());
    return { query, rows: await session.client.embeddingCostByKb(query, signal ? { signal } : {}) };
  };
  const view = new ListView<Spend>(context, session, {
    name: "analytics",
    things: [vscode.l10n.t("knowledge base"), vscode.l10n.t("knowledge bases")],
    empty: vscode.l10n.t("No embedding spend in this period."),
    load: (signal) => load(values, signal),
    rows: spendRows,
    hasMore: isCut,
    note: (data) => data && [data.query.source, data.query.embedding_type].filter(Boolean).join(", "),
  });
  onCommand(context, "analytics.showChart", () =>
    vscode.commands.executeCommand("assistantFlow.openEmbeddingSpend", spendQuery(values, Date.now())),
  );
  onCommand(context, "analytics.setPeriod", async () => {
    const { start_date, end_date } = spendQuery(values, Date.now());
    let start: FormValues = { ...values, start_date, end_date };
    let problems: Record<string, string> = {};
    while (true) {
      const answers = await editForm(vscode.l10n.t("Embedding Spend"), vscode.l10n.t("Show Spend"), spendFields, {
        values: start,
        problems,
      });
      if (!answers) return;
      start = answers;
      try {
        view.data = await load(answers);
        values = answers;
        return void (await context.workspaceState.update(ASKED, values));
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        problems = problemsByField(error, "");
      }
    }
  });
}
