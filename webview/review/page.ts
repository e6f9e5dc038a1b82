/** The review page: the proposal, both sides with marked differences, the evidence, and a form to reject it. */

import type { FromReviewPage, ReviewStanding, ToReviewPage } from "../../client/pages/messages";
import type { ReviewRequest } from "../../platform";
import { differing } from "../page/differing";
import { button, facts, html, replaceChildren } from "../page/dom";
import { keepFocus } from "../page/focus";
import { connect } from "../page/host";
import { t } from "../page/l10n";
import { redraw } from "../page/redraw";
import { keepScroll, type ScrollState } from "../page/scroll";
import { NOTHING, shown, when, words } from "../page/words";

interface KeptState extends ScrollState {
  readonly review: ReviewRequest;
  readonly note: string;
}

const host = connect<ToReviewPage, FromReviewPage, KeptState>();
keepFocus();
const scrollBack = keepScroll(host);
const main = html("main");
document.body.append(main);
const note = html("input", {
  type: "text",
  "aria-label": t("Rejection note"),
  placeholder: t("Note (optional)"),
  maxlength: 2000,
});
note.addEventListener("input", () => host.keep({ note: note.value }));

host.onMessage((message) => {
  host.keep({ review: message.review });
  if (note.value === "") note.value = host.state.note ?? message.note;
  redraw(main, () => show(message.review, message.standing));
  scrollBack();
});
host.send({ type: "ready" });

function show(review: ReviewRequest, standing: ReviewStanding): void {
  const { title, table } = proposal(review);
  replaceChildren(
    main,
    html("h1", {}, title),
    html("p", { class: "reason" }, review.reason ?? ""),
    facts("facts", factsOf(review)),
    table,
    evidence(review, review.request_type === "merge"),
    standing === "open"
      ? html(
          "div",
          { class: "actions" },
          note,
          button(t("Reject"), () => host.send({ type: "reject", note: note.value.trim() }), { class: "primary" }),
        )
      : html("p", { class: "resolved", role: "status" }, outcome(review, standing)),
  );
}

function outcome(review: ReviewRequest, standing: ReviewStanding): string {
  if (standing === "rejecting") return t("Rejecting…");
  if (standing === "gone") return t("No longer pending: the platform doesn't list this review anymore.");
  const day = review.resolved_at ? ` ${when(review.resolved_at)}` : "";
  return `${words(review.status)}${day}${review.resolution_note ? `: ${review.resolution_note}` : ""}`;
}

/** For a review known only by its ID, the proposal is unknown. */
function proposal(review: ReviewRequest): { title: string; table?: HTMLElement } {
  if (review.request_type === "merge") return { title: t("Merge two people"), table: mergeTable(review) };
  if (review.request_type === "update") return { title: t("Update a person"), table: updateTable(review) };
  return { title: t("Review {0}", review.id) };
}

function factsOf(review: ReviewRequest): readonly [string, string][] {
  const rows: [string, string][] = [
    [t("Status"), words(review.status)],
    [t("Created"), when(review.created_at)],
    [
      t("Triggered by"),
      review.trigger_identifier_type
        ? `${words(review.trigger_identifier_type)} ${review.trigger_masked_value ?? ""}`
        : NOTHING,
    ],
    ["ID", shown(review.id)],
  ];
  return review.request_type ? rows : rows.filter(([, value]) => value !== NOTHING);
}

function mergeTable(review: ReviewRequest): HTMLElement {
  const { left, right } = sides(review);
  const survivor = review.suggested_survivor_end_user_id;
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const head = (title: string, id: string | undefined | null) =>
    html(
      "th",
      { scope: "col" },
      `${title} `,
      id && id === survivor ? html("span", { class: "tag" }, t("Suggested to keep")) : undefined,
    );
  const row = (name: string, one: unknown, two: unknown) => {
    // The IDs of two end users always differ, so don't mark them.
    const differs = name !== "end_user_id" && JSON.stringify(one) !== JSON.stringify(two);
    return html(
      "tr",
      { class: differs ? "differs" : "" },
      html("th", { scope: "row" }, words(name), differs && html("span", { class: "announcer" }, ` ${t("(differs)")}`)),
      (differs ? compared(shown(one), shown(two)) : [[shown(one)], [shown(two)]]).map((parts) => html("td", {}, parts)),
    );
  };
  return sidesTable(
    [head(t("Left"), review.left_end_user_id), head(t("Right"), review.right_end_user_id)],
    [
      row("end_user_id", review.left_end_user_id, review.right_end_user_id),
      ...keys.map((key) => row(key, left[key], right[key])),
    ],
  );
}

function sidesTable(titles: readonly HTMLElement[], rows: readonly HTMLElement[]): HTMLElement {
  const head = html("thead", {}, html("tr", {}, html("td"), titles));
  return html("table", { class: "sides" }, head, html("tbody", {}, rows));
}

/** Neither side is the correct one, so both are marked alike. */
function compared(one: string, two: string): readonly (readonly (HTMLElement | string)[])[] {
  return differing(one, two).map((parts) =>
    parts.map(({ text, differs }) => (differs ? html("mark", {}, text) : text)),
  );
}

function updateTable(review: ReviewRequest): HTMLElement {
  const isTrigger = review.trigger_identifier_type === review.proposed_identifier_type;
  const known = isTrigger ? review.trigger_masked_value : undefined;
  const user = shown(review.target_end_user_id);
  return sidesTable(
    [html("th", { scope: "col" }, t("Now")), html("th", { scope: "col" }, t("Proposed"))],
    [
      html("tr", {}, html("th", { scope: "row" }, t("End user")), html("td", {}, user), html("td", {}, user)),
      html(
        "tr",
        { class: "differs" },
        html("th", { scope: "row" }, words(review.proposed_identifier_type)),
        html("td", { class: known ? "old" : "" }, shown(known)),
        html("td", { class: "new" }, shown(review.proposed_masked_value)),
      ),
    ],
  );
}

/** Returns the evidence for each side, if the platform provides it per side. */
function sides(review: ReviewRequest): { left: Record<string, unknown>; right: Record<string, unknown> } {
  const { left, right } = (review.evidence ?? {}) as { left?: unknown; right?: unknown };
  return { left: isRecord(left) ? left : {}, right: isRecord(right) ? right : {} };
}

function evidence(review: ReviewRequest, merge: boolean): HTMLElement[] {
  const entries = Object.entries(review.evidence ?? {}).filter(
    ([key, value]) => !(merge && (key === "left" || key === "right") && isRecord(value)),
  );
  const text = (value: unknown) => (Array.isArray(value) ? value.map(formatItem).join(", ") : formatValue(value));
  const rows = entries.map(([key, value]) => [words(key), text(value)] as const);
  return rows.length === 0 ? [] : [html("h2", {}, t("Evidence")), facts("facts", rows)];
}

/** Formats dates and times; other values stay as they are. */
function formatValue(value: unknown): string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? when(value) : shown(value);
}

/** Lists of evidence contain names of fields, such as `last_name`. */
function formatItem(value: unknown): string {
  return typeof value === "string" && /^[a-z]+(_[a-z]+)*$/.test(value) ? words(value) : formatValue(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
