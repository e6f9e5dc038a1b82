/** The columns of the spend table, sorting, and CSV export. */

import type { EmbeddingCostRow } from "../../platform";
import { t } from "../page/l10n";

export interface Column {
  readonly key: keyof EmbeddingCostRow & string;
  readonly title: string;
  readonly numeric: boolean;
  format(value: number): string;
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const money = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const asWhole = (value: number) => whole.format(value);

export const columns: readonly Column[] = [
  { key: "kb_id", title: t("Knowledge base"), numeric: false, format: String },
  { key: "total_cost_usd", title: t("Cost"), numeric: true, format: (value) => money.format(value) },
  { key: "input_tokens", title: t("Input tokens"), numeric: true, format: asWhole },
  { key: "invocations", title: t("Invocations"), numeric: true, format: asWhole },
  { key: "failed", title: t("Failed"), numeric: true, format: asWhole },
];

export function numberOf(row: EmbeddingCostRow, key: string): number {
  const value = (row as Record<string, unknown>)[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function sorted(rows: readonly EmbeddingCostRow[], key: string, down: boolean): EmbeddingCostRow[] {
  const direction = down ? -1 : 1;
  const compare = (a: EmbeddingCostRow, b: EmbeddingCostRow) =>
    key === "kb_id" ? String(a.kb_id).localeCompare(String(b.kb_id)) : numberOf(a, key) - numberOf(b, key);
  return [...rows].sort((a, b) => direction * compare(a, b));
}

export function toCsv(rows: readonly EmbeddingCostRow[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cell(String((row as Record<string, unknown>)[column.key] ?? ""))).join(","),
  );
  return `${[columns.map((column) => column.key).join(","), ...lines].join("\r\n")}\r\n`;
}

/** Quotes a value if needed, and prefixes an apostrophe if a spreadsheet would run it as a formula. */
function cell(value: string): string {
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
  const safe = /^[=+\-@\t\r]/.test(value) && !isNumber ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
