/** `assistant-flow webhooks catalog` and `analytics embeddings`. */
import type { EmbeddingCostRow, WebhookEventType } from "../../platform";
import { EXIT, type Input, Stop } from "../command";
import { numberOf } from "../limits";
import { type FormatOptions, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export const catalog = {
  async run({ options, terminal }: Input<Common>): Promise<number> {
    const events = await (await clientOf(terminal, options)).eventCatalog();
    const columns = {
      TYPE: (event: WebhookEventType) => event.type,
      GROUP: (event: WebhookEventType) => event.group,
      SENSITIVITY: (event: WebhookEventType) => event.sensitivity,
      DESCRIPTION: (event: WebhookEventType) => event.description,
    };
    showRows(events, columns, options, terminal, "No webhook events available.");
    return 0;
  },
};

type Period = { from?: string; to?: string; source?: string; type?: string; limit: string };
const DAY_MS = 24 * 3600 * 1000;

export const embeddings = {
  async run({ options, terminal }: Input<Common & Period>): Promise<number> {
    const { source, type } = options;
    const today = Date.now();
    const rows = await (await clientOf(terminal, options)).embeddingCostByKb({
      start_date: dayOf("--from", options.from, today - 30 * DAY_MS),
      end_date: dayOf("--to", options.to, today),
      limit: numberOf("--limit", options.limit, 1, 100),
      ...(source === undefined ? {} : { source }),
      ...(type === undefined ? {} : { embedding_type: type }),
    });
    const columns = {
      "KNOWLEDGE BASE": (row: EmbeddingCostRow) => row.kb_id,
      USD: (row: EmbeddingCostRow) => row.total_cost_usd.toFixed(4),
      TOKENS: (row: EmbeddingCostRow) => row.input_tokens,
      CALLS: (row: EmbeddingCostRow) => row.invocations,
      FAILED: (row: EmbeddingCostRow) => row.failed,
    };
    showRows(rows, columns, options, terminal, "No spending in this period.");
    return 0;
  },
};

function dayOf(flag: string, given: string | undefined, fallback: number): string {
  if (given === undefined) return new Date(fallback).toISOString().slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))) return given;
  throw new Stop(`${flag} must be a date such as 2026-01-31.`, EXIT.usage);
}
