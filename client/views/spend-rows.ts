/** Shows embedding spend as rows. */
import { l10n } from "vscode";
import { type EmbeddingCostQuery, type EmbeddingCostRow, limits } from "../../platform";
import { dateProblem, limitProblem } from "../ui/checks";
import type { FormField, FormValues } from "../ui/forms";
import type { Row } from "../ui/row";
import { dollars, plural, roughly, shortId } from "../ui/words";

export interface Spend {
  readonly query: EmbeddingCostQuery;
  readonly rows: readonly EmbeddingCostRow[];
}

/** The platform returns the most expensive rows up to the limit; if the limit is reached, there may be more. */
export function isCut({ query, rows }: Spend): boolean {
  return rows.length >= (query.limit ?? limits.embeddingCostRows.default);
}

/** Describes which rows the total includes. */
export function coverage(spend: Spend): string {
  const { length } = spend.rows;
  return isCut(spend)
    ? l10n.t("top {0} only", plural(length, l10n.t("knowledge base"), l10n.t("knowledge bases")))
    : l10n.t("all {0}", plural(length, l10n.t("knowledge base"), l10n.t("knowledge bases")));
}

export function spendRows(spend: Spend): readonly Row[] {
  const { query, rows } = spend;
  const total = rows.reduce((sum, { total_cost_usd }) => sum + total_cost_usd, 0);
  if (rows.length === 0) return [];
  return [
    {
      id: "total",
      label: dollars(total),
      description: l10n.t("{0} · {1} to {2}", coverage(spend), query.start_date, query.end_date),
      icon: "graph",
      facts: () => [
        [l10n.t("Covers:"), coverage(spend)],
        [l10n.t("From:"), query.start_date],
        [l10n.t("To:"), query.end_date],
        [l10n.t("Source:"), query.source],
        [l10n.t("Embedding type:"), query.embedding_type],
        [
          l10n.t("There may be more:"),
          isCut(spend) ? l10n.t("raise the limit (up to {0})", limits.embeddingCostRows.max) : undefined,
        ],
      ],
      command: { command: "assistantFlow.analytics.showChart", title: l10n.t("Show Chart") },
    },
    ...rows.map((row): Row => {
      // A few failures are normal; 5 % are not.
      const fails = row.failed > row.invocations / 20;
      const share = total > 0 ? Math.round((row.total_cost_usd / total) * 100) : 0;
      return {
        id: `kb/${row.kb_id}`,
        label: shortId(row.kb_id),
        description: `${dollars(row.total_cost_usd)} · ${share}%${row.failed > 0 ? ` · ${plural(row.failed, l10n.t("failure"), l10n.t("failures"))}` : ""}`,
        icon: fails ? "warning" : "book",
        color: fails ? "list.warningForeground" : undefined,
        context: "thing",
        copy: row.kb_id,
        thing: row,
        facts: () => [
          [l10n.t("Knowledge base:"), row.kb_id],
          [l10n.t("Share:"), total > 0 ? l10n.t("{0}% of the total shown", share) : undefined],
          [l10n.t("Cost:"), dollars(row.total_cost_usd)],
          [l10n.t("Input tokens:"), roughly(row.input_tokens)],
          [l10n.t("Invocations:"), row.invocations.toLocaleString("en-US")],
          [l10n.t("Failed:"), row.failed.toLocaleString("en-US")],
        ],
      };
    }),
  ];
}

export const spendFields: readonly FormField[] = [
  { name: "start_date", label: l10n.t("Start date"), placeholder: "yyyy-mm-dd", required: true, check: dateProblem },
  {
    name: "end_date",
    label: l10n.t("End date"),
    placeholder: "yyyy-mm-dd",
    required: true,
    check: (value, { start_date = "" }) =>
      dateProblem(value) ??
      (dateProblem(start_date) === undefined && value < start_date
        ? l10n.t("The end date is before the start date.")
        : undefined),
  },
  { name: "source", label: l10n.t("Source"), placeholder: l10n.t("query, ingest, …") },
  { name: "embedding_type", label: l10n.t("Embedding type"), placeholder: l10n.t("text, image, …") },
  {
    name: "limit",
    label: l10n.t("Limit"),
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
