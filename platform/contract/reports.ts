/** Reports: embedding spend (2.4) and the webhook catalog (2.10). */
import * as z from "zod/mini";
import { limits } from "./limits";
import { documented, type Infer, list, named, number, open, resource, text, whole } from "./schema";

export const embeddingCostRow = named("EmbeddingCostByKbRow", () =>
  resource(
    { kb_id: text(), total_cost_usd: number(), input_tokens: whole(), invocations: whole(), failed: whole() },
    {},
  ),
);
export type EmbeddingCostRow = Infer<typeof embeddingCostRow>;

export const embeddingCostRows = named("EmbeddingCostByKb", () => list(embeddingCostRow()));

export const embeddingCostQuery = named("EmbeddingCostByKbQuery", () =>
  resource(
    { start_date: z.iso.date(), end_date: z.iso.date() },
    {
      source: z.nullable(text()),
      embedding_type: z.nullable(text()),
      limit: z
        .int()
        .check(z.minimum(limits.embeddingCostRows.min), z.maximum(limits.embeddingCostRows.max))
        .register(documented, { default: limits.embeddingCostRows.default }),
    },
  ),
);
export type EmbeddingCostQuery = Infer<typeof embeddingCostQuery>;

export const webhookEventType = named("WebhookEventType", () =>
  resource(
    { type: open("conversation.session.completed") },
    { description: text(), group: text(), sensitivity: open("non_pii") },
  ),
);
export type WebhookEventType = Infer<typeof webhookEventType>;

export const webhookEventCatalog = named("WebhookEventCatalog", () =>
  resource({ events: list(webhookEventType()) }, {}),
);
