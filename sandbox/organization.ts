/** Other resources: the caller, identity reviews, embedding spend, webhook events. */
import { type EmbeddingCostRow, limits, type ReviewRequest, type WebhookEventType, type Whoami } from "../platform";
import type { Asked } from "./api";
import { uuidOf } from "./chance";
import type { Clock } from "./clock";
import { refuse } from "./http/answer";
import type { KeyRecord } from "./storage/records";
import type { Store } from "./storage/store";

// Don't change the seed: stored states depend on it.
export const ORGANIZATION = { id: uuidOf("organisation"), name: "Northwind Telecom" } as const;

export class Organization {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  whoami(key: KeyRecord): Whoami {
    return {
      id: uuidOf("member/owner"),
      name: "Sandbox Owner",
      email: "owner@northwind.example.com",
      role: "owner",
      organization_id: ORGANIZATION.id,
      organization_name: ORGANIZATION.name,
      key_prefix: key.key_prefix,
      scopes: [...key.scopes],
    };
  }

  reviews(): ReviewRequest[] {
    return [...this.store.all("reviews")];
  }

  reject({ params, body }: Asked<"rejectReviewRequest">): ReviewRequest {
    const review = this.store.get("reviews", params.request_id);
    if (!review) throw refuse(404, "not_found", "No review request has this ID.");
    if (review.status !== "pending")
      throw refuse(409, "already_resolved", `This review request is already ${review.status}.`, { retryable: false });
    const at = this.clock.iso();
    const rejected: ReviewRequest = {
      ...review,
      status: "rejected",
      updated_at: at,
      resolved_at: at,
      ...(body.resolution_note === undefined ? {} : { resolution_note: body.resolution_note }),
    };
    this.store.commit([{ put: "reviews", id: review.id, value: rejected }]);
    return rejected;
  }

  events(): WebhookEventType[] {
    return [...this.store.all("events")];
  }

  /** Both days are inclusive. Knowledge bases without usage are omitted. */
  embeddingCost({ query }: Asked<"getModelRouterEmbeddingCostByKb">): EmbeddingCostRow[] {
    if (query.start_date > query.end_date)
      throw refuse(400, "bad_request", "`start_date` must not be after `end_date`.", { retryable: false });
    const rows: EmbeddingCostRow[] = [];
    for (const { kb_id, days } of this.store.all("spend")) {
      const row = { kb_id, total_cost_usd: 0, input_tokens: 0, invocations: 0, failed: 0 };
      for (const day of days) {
        if (day.date < query.start_date || day.date > query.end_date) continue;
        if (typeof query.source === "string" && day.source !== query.source) continue;
        if (typeof query.embedding_type === "string" && day.embedding_type !== query.embedding_type) continue;
        row.total_cost_usd += day.cost_usd;
        row.input_tokens += day.input_tokens;
        row.invocations += day.invocations;
        row.failed += day.failed;
      }
      row.total_cost_usd = Math.round(row.total_cost_usd * 1e6) / 1e6;
      if (row.invocations > 0) rows.push(row);
    }
    rows.sort((a, b) => b.total_cost_usd - a.total_cost_usd || (a.kb_id < b.kb_id ? -1 : 1));
    return rows.slice(0, query.limit ?? limits.embeddingCostRows.default);
  }
}
