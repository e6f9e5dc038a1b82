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

export function spendRows({ query, rows }: Spend): readonly Row[] {
  const total = rows.reduce((sum, { total_cost_usd }) => sum + total_cost_usd, 0);
  return [
    {
      id: "total",
      label: dollars(total),
      description: `${query.start_date} to ${query.end_date}, ${plural(rows.length, "knowledge base")}`,
      icon: "graph",
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
  { name: "start_date", label: "First day", placeholder: "yyyy-mm-dd", required: true, check: dateProblem },
  {
    name: "end_date",
    label: "Last day",
    placeholder: "yyyy-mm-dd",
    required: true,
    check: (value, { start_date = "" }) =>
      dateProblem(value) ??
      (dateProblem(start_date) === undefined && value < start_date ? "This is before the first day." : undefined),
  },
  { name: "source", label: "Source", placeholder: "query, ingest, …" },
  { name: "embedding_type", label: "Type of embedding", placeholder: "text, image, …" },
  {
    name: "limit",
    label: `How many knowledge bases (${limits.embeddingCostRows.default})`,
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
