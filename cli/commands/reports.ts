/** `assistant-flow webhooks catalog` and `analytics embeddings`. */
import { EXIT, type Input, Stop } from "../command";
import { numberOf } from "../limits";
import { type FormatOptions, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export async function catalog({ options, terminal }: Input<Common>): Promise<number> {
  const events = await (await clientOf(terminal, options)).eventCatalog();
  showRows(events, options, terminal, "No webhook events available.", {
    TYPE: (event) => event.type,
    GROUP: (event) => event.group,
    SENSITIVITY: (event) => event.sensitivity,
    DESCRIPTION: (event) => event.description,
  });
  return 0;
}

type Period = { from?: string; to?: string; source?: string; type?: string; limit: string };
const DAY_MS = 24 * 3600 * 1000;

export async function embeddings({ options, terminal }: Input<Common & Period>): Promise<number> {
  const { source, type } = options;
  const today = Date.now();
  const rows = await (await clientOf(terminal, options)).embeddingCostByKb({
    start_date: dayOf("--from", options.from, today - 30 * DAY_MS),
    end_date: dayOf("--to", options.to, today),
    limit: numberOf("--limit", options.limit, 1, 100),
    ...(source === undefined ? {} : { source }),
    ...(type === undefined ? {} : { embedding_type: type }),
  });
  showRows(rows, options, terminal, "No spending in this period.", {
    "KNOWLEDGE BASE": (row) => row.kb_id,
    USD: (row) => row.total_cost_usd.toFixed(4),
    TOKENS: (row) => row.input_tokens,
    CALLS: (row) => row.invocations,
    FAILED: (row) => row.failed,
  });
  return 0;
}

function dayOf(flag: string, given: string | undefined, fallback: number): string {
  if (given === undefined) return new Date(fallback).toISOString().slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))) return given;
  throw new Stop(`${flag} must be a date such as 2026-01-31.`, EXIT.usage);
}
