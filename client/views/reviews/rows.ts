/** Shows reviews as rows with proposal, people, and age, grouped by type and newest first. */
import { l10n } from "vscode";
import { type ReviewRequest, safeText } from "../../../platform";
import type { Row } from "../../ui/row";
import { ago, moment, shortId } from "../../ui/words";

/** A review is open until it has a resolution time. The status isn't used, because not all of its values are known. */
export function isOpen(review: ReviewRequest): boolean {
  return !review.resolved_at && !/^(approved|rejected|resolved|closed)$/i.test(review.status ?? "");
}

/**
 * Summarizes a review in one line. Differences come first, since rows are cut off at the end; otherwise the platform's
 * reason, or the proposal and the people it concerns.
 */
export function proposal(review: ReviewRequest): string {
  const differs = difference(review);
  if (differs !== undefined) return differs;
  const reason = safeText(review.reason ?? "", 120).replace(/\.$/, "");
  if (reason) return reason;
  if (review.request_type === "update")
    return l10n.t(
      "Change {0} of {1}",
      safeText(review.proposed_identifier_type ?? "identifier", 30),
      shortId(review.target_end_user_id),
    );
  if (review.request_type === "merge") {
    const stays = review.suggested_survivor_end_user_id === review.left_end_user_id ? "left" : "right";
    const goes = stays === "left" ? "right" : "left";
    return l10n.t("Merge {0} into {1}", personOf(review, goes), personOf(review, stays));
  }
  return l10n.t("Review {0}", shortId(review.id));
}

/** Returns both values of the first difference, preferring the name; for an update, the new value. */
function difference(review: ReviewRequest): string | undefined {
  if (review.request_type === "update" && review.proposed_masked_value)
    return l10n.t(
      "{0}: {1}",
      safeText(review.proposed_identifier_type ?? "identifier", 30),
      safeText(review.proposed_masked_value, 60),
    );
  if (review.request_type !== "merge") return undefined;
  const [left, right] = [sideOf(review, "left"), sideOf(review, "right")];
  const key = ["name", ...Object.keys(left)].find((each) => {
    const both = [left[each], right[each]];
    return both[0] !== both[1] && both.every((value) => typeof value === "string" && value !== "");
  });
  if (key === undefined) return undefined;
  const values = l10n.t("{0} / {1}", safeText(String(left[key]), 60), safeText(String(right[key]), 60));
  const name = left.name;
  return key === "name" || typeof name !== "string" ? values : l10n.t("{0}: {1}", safeText(name, 60), values);
}

/** Returns the evidence for one side, if the platform provides it per side. */
function sideOf(review: ReviewRequest, side: "left" | "right"): Readonly<Record<string, unknown>> {
  const about = (review.evidence as Record<string, unknown> | null | undefined)?.[side];
  return typeof about === "object" && about !== null ? (about as Record<string, unknown>) : {};
}

/** Returns the name of a side from the evidence, else its ID. */
function personOf(review: ReviewRequest, side: "left" | "right"): string {
  const { name } = sideOf(review, side);
  return typeof name === "string" && name !== "" ? safeText(name, 60) : shortId(review[`${side}_end_user_id`]);
}

/** Returns, for example, `Diego Abara (3f6f1c9e)`. */
function personWithId(review: ReviewRequest, side: "left" | "right"): string | undefined {
  const id = review[`${side}_end_user_id`];
  if (!id) return undefined;
  const [person, short] = [personOf(review, side), shortId(id)];
  return person === short ? short : `${person} (${short})`;
}

function survivor(review: ReviewRequest): string | undefined {
  const id = review.suggested_survivor_end_user_id;
  if (id && id === review.left_end_user_id) return l10n.t("{0} (left)", personOf(review, "left"));
  if (id && id === review.right_end_user_id) return l10n.t("{0} (right)", personOf(review, "right"));
  return id ?? undefined;
}

const groups = new Map([
  ["merge", { label: l10n.t("Merge two people"), icon: "git-merge" }],
  ["update", { label: l10n.t("Update a person"), icon: "edit" }],
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
        label: groups.get(type)?.label ?? (type === "" ? l10n.t("Added by ID") : safeText(type, 40)),
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
      ? l10n.t("not rejected: {0}", failed)
      : [since, trigger && safeText(trigger, 40), safeText(review.reason ?? "", 120)].filter(Boolean).join(" · "),
    icon: failed ? "warning" : icon,
    color: failed ? "list.warningForeground" : undefined,
    context: "review",
    copy: review.id,
    thing: review,
    command: { command: "assistantFlow.openReview", title: l10n.t("Open Review"), arguments: [review, true] },
    facts: () => [
      [l10n.t("Not rejected:"), failed],
      [l10n.t("Reason:"), review.reason],
      [l10n.t("Left:"), personWithId(review, "left")],
      [l10n.t("Right:"), personWithId(review, "right")],
      [l10n.t("Suggested to keep:"), survivor(review)],
      [l10n.t("End user:"), review.target_end_user_id],
      [l10n.t("Proposed:"), [review.proposed_identifier_type, review.proposed_masked_value].filter(Boolean).join(" ")],
      [l10n.t("Triggered by:"), trigger],
      [l10n.t("Status:"), review.status],
      [l10n.t("Created:"), moment(review.created_at, now)],
      [l10n.t("Review:"), review.id],
    ],
  };
}

function newestFirst(a: ReviewRequest, b: ReviewRequest): number {
  return (b.created_at ?? "").localeCompare(a.created_at ?? "") || a.id.localeCompare(b.id);
}

/** Explains why the view shows the IDs the user added. */
export function ownListNote(isForbidden: boolean): string {
  return isForbidden
    ? l10n.t("This API key can't list reviews; showing the IDs you added.")
    : l10n.t("This platform can't list reviews; showing the IDs you added.");
}

/** Extracts unique IDs from pasted text, separated by line breaks, commas, or spaces. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;"'[\]]+/).filter((word) => /^[\w.:-]{2,100}$/.test(word)))];
}
