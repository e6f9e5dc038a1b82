/** Reviews as rows: what is proposed, of whom, since when; grouped by type, newest first. */
import { type ReviewRequest, safeText } from "../../../platform";
import type { Row } from "../../ui/row";
import { ago, moment, shortId } from "../../ui/words";

/** A review is open until it says when it was resolved; the values of its status are not all known. */
export function isOpen(review: ReviewRequest): boolean {
  return !review.resolved_at && !/^(approved|rejected|resolved|closed)$/i.test(review.status ?? "");
}

/** What a review is about, in one line: the platform's own reason, else what is proposed, of whom. */
export function proposal(review: ReviewRequest): string {
  const reason = safeText(review.reason ?? "", 120).replace(/\.$/, "");
  if (reason) return reason;
  if (review.request_type === "update") {
    const value = review.proposed_masked_value ? ` to ${safeText(review.proposed_masked_value, 40)}` : "";
    return `Change ${safeText(review.proposed_identifier_type ?? "identifier", 30)} of ${shortId(review.target_end_user_id)}${value}`;
  }
  if (review.request_type === "merge") {
    const stays = review.suggested_survivor_end_user_id === review.left_end_user_id ? "left" : "right";
    const goes = stays === "left" ? "right" : "left";
    return `Merge ${personOf(review, goes)} into ${personOf(review, stays)}`;
  }
  return `Review ${shortId(review.id)}`;
}

/** The name the evidence has for a side, else the ID. */
function personOf(review: ReviewRequest, side: "left" | "right"): string {
  const evidence = (review.evidence ?? {}) as Record<string, { name?: unknown } | null | undefined>;
  const name = evidence[side]?.name;
  return typeof name === "string" && name !== "" ? safeText(name, 60) : shortId(review[`${side}_end_user_id`]);
}

const groups = new Map([
  ["merge", { label: "Merge two people", icon: "git-merge" }],
  ["update", { label: "Update a person", icon: "edit" }],
]);

export interface ReviewRowOptions {
  readonly now: number;
  readonly problem: (id: string) => string | undefined;
}

export function reviewRows(reviews: readonly ReviewRequest[], options: ReviewRowOptions): readonly Row[] {
  const byType = new Map<string, ReviewRequest[]>();
  for (const review of [...reviews].sort(newestFirst)) {
    const type = review.request_type ?? "";
    byType.set(type, [...(byType.get(type) ?? []), review]);
  }
  const order = ["merge", "update", ...[...byType.keys()].filter((type) => !groups.has(type)).sort()];
  return order.flatMap((type) => {
    const list = byType.get(type);
    if (!list) return [];
    return [
      {
        id: `group/${type}`,
        label: groups.get(type)?.label ?? (type === "" ? "Added by ID" : safeText(type, 40)),
        description: String(list.length),
        expanded: true,
        children: list.map((review) => reviewRow(review, groups.get(type)?.icon ?? "question", options)),
      },
    ];
  });
}

function reviewRow(review: ReviewRequest, icon: string, { now, problem }: ReviewRowOptions): Row {
  const failed = problem(review.id);
  const trigger = [review.trigger_identifier_type, review.trigger_masked_value].filter(Boolean).join(" ");
  const since = ago(review.created_at, now);
  return {
    id: `review/${review.id}`,
    label: proposal(review),
    description: failed
      ? `not rejected: ${failed}`
      : [since, trigger && safeText(trigger, 40)].filter(Boolean).join(" · "),
    icon: failed ? "warning" : icon,
    color: failed ? "list.warningForeground" : undefined,
    context: "review",
    copy: review.id,
    thing: review,
    command: { command: "assistantFlow.openReview", title: "Open Review", arguments: [review, true] },
    facts: () => [
      ["Not rejected:", failed],
      ["Reason:", review.reason],
      ["Left:", review.left_end_user_id],
      ["Right:", review.right_end_user_id],
      ["Suggested survivor:", review.suggested_survivor_end_user_id],
      ["End user:", review.target_end_user_id],
      ["Proposed:", [review.proposed_identifier_type, review.proposed_masked_value].filter(Boolean).join(" ")],
      ["Triggered by:", trigger],
      ["Status:", review.status],
      ["Created:", moment(review.created_at, now)],
      ["Review:", review.id],
    ],
  };
}

function newestFirst(a: ReviewRequest, b: ReviewRequest): number {
  return (b.created_at ?? "").localeCompare(a.created_at ?? "") || a.id.localeCompare(b.id);
}

/** Ids out of pasted text: one a line, or with commas or blanks between them; each once. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;"'[\]]+/).filter((word) => /^[\w.:-]{2,100}$/.test(word)))];
}
