/** The embedding spend page: validates the query, sends it, and shows the exact request. */
import * as vscode from "vscode";
import { type EmbeddingCostQuery, limits, PlatformError } from "../../platform";
import type { Session } from "../connections";
import { coverage } from "../views/spend-rows";
import type { FromSpendPage, SpendQuery, ToSpendPage } from "./messages";
import { type OpenPage, registerRecordPage } from "./record-page";
import { inWorkspace, saveAs } from "./save";

export function registerSpendPage(context: vscode.ExtensionContext, session: Session): void {
  let shown: OpenPage<ToSpendPage> | undefined;
  /** The query the page was opened with, until it sends one. */
  let requested: SpendQuery | undefined;
  const open = registerRecordPage<"spend", ToSpendPage, FromSpendPage>(context, {
    viewType: "assistantFlow.spend",
    bundle: "spend",
    identity: () => "spend",
    title: () => vscode.l10n.t("Embedding Spend"),
    restore: () => "spend",
    serve: (_key, page) => {
      let current: AbortController | undefined;
      shown = page;
      page.subscriptions.push({
        dispose: () => {
          current?.abort();
          shown = undefined;
        },
      });
      return async (message) => {
        if (message.type === "ready")
          return page.send({
            type: "query",
            query: requested ?? lastMonth(new Date()),
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
  context.subscriptions.push(
    vscode.commands.registerCommand("assistantFlow.openEmbeddingSpend", (query?: EmbeddingCostQuery) => {
      requested = query ? asTyped(query) : undefined;
      // Update a page that is already open.
      if (requested) shown?.send({ type: "query", query: requested, isRequested: true });
      open("spend");
    }),
  );
}

async function load(session: Session, asked: SpendQuery, signal: AbortSignal): Promise<ToSpendPage> {
  const fields = problemsOf(asked);
  if (Object.keys(fields).length > 0)
    return { type: "failed", reason: vscode.l10n.t("Fix the highlighted fields."), fields };
  const query: EmbeddingCostQuery = {
    start_date: asked.start_date,
    end_date: asked.end_date,
    ...(asked.limit ? { limit: Number(asked.limit) } : {}),
    ...(asked.source ? { source: asked.source } : {}),
    ...(asked.embedding_type ? { embedding_type: asked.embedding_type } : {}),
  };
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

/** Validates a query before it is sent. Returns messages by field. */
function problemsOf(query: SpendQuery): Record<string, string> {
  const problems: Record<string, string> = {};
  const isDate = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDate(query.start_date)) problems.start_date = vscode.l10n.t("Enter a date.");
  if (!isDate(query.end_date)) problems.end_date = vscode.l10n.t("Enter a date.");
  else if (isDate(query.start_date) && query.end_date < query.start_date)
    problems.end_date = vscode.l10n.t("The end date is before the start date.");
  if (
    query.limit !== "" &&
    !(Number.isInteger(Number(query.limit)) && Number(query.limit) >= 1 && Number(query.limit) <= 100)
  )
    problems.limit = vscode.l10n.t("Enter a whole number from 1 to 100.");
  return problems;
}

/** Returns the last thirty days, including today. */
export function lastMonth(today: Date): SpendQuery {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const start_date = day(today.getTime() - 29 * 24 * 60 * 60 * 1000);
  return asTyped({ start_date, end_date: day(today.getTime()) });
}

/** Converts a query to form values. */
export function asTyped({ start_date, end_date, limit, source, embedding_type }: EmbeddingCostQuery): SpendQuery {
  const most = String(limit ?? limits.embeddingCostRows.default);
  return { start_date, end_date, limit: most, source: source ?? "", embedding_type: embedding_type ?? "" };
}
