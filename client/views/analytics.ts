/** The analytics view: embedding spend per knowledge base, with a link to the page with the chart. */
import * as vscode from "vscode";
import type { Session } from "../connections";
import { askUntilAccepted, editForm, type FormStart, type FormValues } from "../ui/forms";
import { onCommand } from "../ui/notice";
import { isCut, type Spend, spendFields, spendQuery, spendRows } from "./spend-rows";
import { ListView } from "./tree";

const ASKED = "analytics.query";

const filters = (data: Spend | undefined) =>
  data && [data.query.source, data.query.embedding_type].filter(Boolean).join(", ");

export function registerAnalytics(context: vscode.ExtensionContext, session: Session): void {
  let values: FormValues = context.workspaceState.get<FormValues>(ASKED) ?? {};
  const load = async (asked: FormValues, signal?: AbortSignal): Promise<Spend> => {
    const query = spendQuery(asked, Date.now());
    return { query, rows: await session.client.embeddingCostByKb(query, signal ? { signal } : {}) };
  };
  const view: ListView<Spend> = new ListView(context, session, {
    name: "analytics",
    things: vscode.l10n.t("knowledge bases"),
    empty: () =>
      filters(view.data)
        ? vscode.l10n.t("No embedding spend matches these filters.")
        : vscode.l10n.t("No embedding spend in this period."),
    load: (signal) => load(values, signal),
    rows: spendRows,
    isFlat: true,
    hasMore: isCut,
    note: filters,
  });
  onCommand(context, "analytics.showChart", () =>
    vscode.commands.executeCommand("assistantFlow.openEmbeddingSpend", spendQuery(values, Date.now())),
  );
  onCommand(context, "analytics.setPeriod", async () => {
    const { start_date, end_date } = spendQuery(values, Date.now());
    const form = (start: FormStart) =>
      editForm(vscode.l10n.t("Embedding Spend"), vscode.l10n.t("Show Spend"), spendFields, start);
    await askUntilAccepted(form, { ...values, start_date, end_date }, "", async (answers) => {
      view.data = await load(answers);
      values = answers;
      await context.workspaceState.update(ASKED, values);
    });
  });
}
