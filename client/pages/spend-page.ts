/** The embedding spend page: validates the query, sends it, and shows the exact request. */
import * as vscode from "vscode";
import { type EmbeddingCostQuery, limits, PlatformError } from "../../platform";
import type { Session } from "../connections";
import { incomplete } from "../ui/checks";
import { checkField, type FormValues } from "../ui/forms";
import { onCommand } from "../ui/notice";
import { coverage, spendFields, spendQuery } from "../views/spend-rows";
import type { FromSpendPage, SpendQuery, ToSpendPage } from "./messages";
import { RecordPages } from "./record-page";
import { inWorkspace, saveAs } from "./save";

export function registerSpendPage(context: vscode.ExtensionContext, session: Session): void {
  /** The query the page was opened with, until it sends one. */
  let requested: SpendQuery | undefined;
  const pages = new RecordPages<"spend", ToSpendPage, FromSpendPage>(context, {
    viewType: "assistantFlow.spend",
    bundle: "spend",
    identity: () => "spend",
    title: () => vscode.l10n.t("Embedding Spend"),
    restore: () => "spend",
    serve: (_key, page) => {
      let current: AbortController | undefined;
      page.subscriptions.push({ dispose: () => current?.abort() });
      return async (message) => {
        if (message.type === "ready")
          return page.send({
            type: "query",
            query: requested ?? asTyped(spendQuery({}, Date.now())),
            isRequested: requested !== undefined,
          });
        if (message.type === "export") {
          const content = Buffer.from(message.csv);
          return saveAs({ what: "spend", suggested: inWorkspace("embedding-spend"), ending: "csv", content });
        }
        requested = undefined;
        current?.abort();
        current = new AbortController();
        page.send(await load(session, message.query, current.signal));
      };
    },
  });
  onCommand(context, "openEmbeddingSpend", (query?: EmbeddingCostQuery) => {
    requested = query ? asTyped(query) : undefined;
    // Update a page that is already open.
    if (requested) pages.get("spend")?.send({ type: "query", query: requested, isRequested: true });
    pages.show("spend");
  });
}

async function load(session: Session, asked: SpendQuery, signal: AbortSignal): Promise<ToSpendPage> {
  const values: FormValues = { ...asked };
  const wrong = spendFields.flatMap((field) => {
    const problem = checkField(field, values[field.name] ?? "", values);
    return problem ? [[field.name, problem]] : [];
  });
  if (wrong.length > 0) return { type: "failed", reason: incomplete(wrong.length), fields: Object.fromEntries(wrong) };
  const query = spendQuery(values, Date.now());
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const request = `GET /v1/analytics/model-router/embeddings/cost/by-kb?${text}`;
  try {
    const rows = await session.client.embeddingCostByKb(query, { signal });
    return { type: "rows", rows, request, covers: coverage({ query, rows }) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    // A 422 response names the parameter, so its message is shown next to that field.
    const named = error.detail.flatMap(({ loc, msg }) =>
      typeof loc.at(-1) === "string" ? [[loc.at(-1) as string, msg]] : [],
    );
    return { type: "failed", reason: error.message, fields: Object.fromEntries(named), request };
  }
}

/** Converts a query to form values. */
export function asTyped({ start_date, end_date, limit, source, embedding_type }: EmbeddingCostQuery): SpendQuery {
  const most = String(limit ?? limits.embeddingCostRows.default);
  return { start_date, end_date, limit: most, source: source ?? "", embedding_type: embedding_type ?? "" };
}
