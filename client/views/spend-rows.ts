/** Embedding spend as rows, and what may be asked for. */
import { type EmbeddingCostQuery, type EmbeddingCostRow, limits } from "../../platform";
import { dateProblem, limitProblem } from "../ui/checks";
import type { FormField, FormValues } from "../ui/forms";
import type { Row } from "../ui/row";
import { dollars, plural, roughly, shortId } from "../ui/words";

export interface Spend {
  readonly query: EmbeddingCostQuery;
  readonly rows: readonly EmbeddingCostRow[];
}

/** The platform gives the most expensive ones, as many as it was asked for: where all of these came, there may be more. */
export function isCut({ query, rows }: Spend): boolean {
  return rows.length >= (query.limit ?? limits.embeddingCostRows.default);
}

/** What the sum of the rows covers. */
export function coverage(spend: Spend): string {
  const { length } = spend.rows;
  return isCut(spend) ? `top ${plural(length, "knowledge base")} only` : `all ${plural(length, "knowledge base")}`;
}

export function spendRows(spend: Spend): readonly Row[] {
  const { query, rows } = spend;
  const total = rows.reduce((sum, { total_cost_usd }) => sum + total_cost_usd, 0);
  if (rows.length === 0) return [];
  return [
    {
      id: "total",
      label: dollars(total),
      description: `${coverage(spend)} · ${query.start_date} to ${query.end_date}`,
      icon: "graph",
      facts: () => [
        ["Covers:", coverage(spend)],
        ["From:", query.start_date],
        ["To:", query.end_date],
        ["Source:", query.source],
        ["Embedding type:", query.embedding_type],
        ["There may be more:", isCut(spend) ? `raise the limit (up to ${limits.embeddingCostRows.max})` : undefined],
      ],
      command: { command: "assistantFlow.analytics.showChart", title: "Show Chart" },
    },
    ...rows.map((row): Row => {
      // A few failures among thousands are usual; one in twenty is not.
      const fails = row.failed > row.invocations / 20;
      const share = total > 0 ? Math.round((row.total_cost_usd / total) * 100) : 0;
      return {
        id: `kb/${row.kb_id}`,
        label: shortId(row.kb_id),
        description: `${dollars(row.total_cost_usd)} · ${share} %${row.failed > 0 ? ` · ${plural(row.failed, "failure")}` : ""}`,
        icon: fails ? "warning" : "book",
        color: fails ? "list.warningForeground" : undefined,
        context: "thing",
        copy: row.kb_id,
        thing: row,
        facts: () => [
          ["Knowledge base:", row.kb_id],
          ["Share:", total > 0 ? `${share} % of the total shown` : undefined],
          ["Cost:", dollars(row.total_cost_usd)],
          ["Tokens in:", roughly(row.input_tokens)],
          ["Requests:", row.invocations.toLocaleString("en-US")],
          ["Failed:", row.failed.toLocaleString("en-US")],
        ],
      };
    }),
  ];
}

export const spendFields: readonly FormField[] = [
  { name: "start_date", label: "Start date", placeholder: "yyyy-mm-dd", required: true, check: dateProblem },
  {
    name: "end_date",
    label: "End date",
    placeholder: "yyyy-mm-dd",
    required: true,
    check: (value, { start_date = "" }) =>
      dateProblem(value) ??
      (dateProblem(start_date) === undefined && value < start_date
        ? "The end date is before the start date."
        : undefined),
  },
  { name: "source", label: "Source", placeholder: "query, ingest, …" },
  { name: "embedding_type", label: "Embedding type", placeholder: "text, image, …" },
  {
    name: "limit",
    label: "Limit",
    placeholder: String(limits.embeddingCostRows.default),
    check: limitProblem,
  },
];

export function spendQuery(values: FormValues, now: number): EmbeddingCostQuery {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const { start_date, end_date, source, embedding_type, limit } = values;
  return {
    start_date: start_date || day(now - 29 * 24 * 60 * 60 * 1000),
    end_date: end_date || day(now),
    ...(source ? { source } : {}),
    ...(embedding_type ? { embedding_type } : {}),
    ...(limit ? { limit: Number(limit) } : {}),
  };
}
