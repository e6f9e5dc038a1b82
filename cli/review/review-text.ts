/** Reviews for a terminal: changed elements with marked words, then changed behavior. */

import { plan } from "../../flow";
import type { Change } from "../../flow/review";
import { visibleLine } from "../../text";
import { callSentences } from "../calls/sentences";
import { type Color, painter } from "../terminal";
import { markedWords, ownerOf, shownValue } from "./marked";
import type { Review } from "./review";
import { sentencesOf } from "./sentences";

const marks = {
  added: ["+", "green"],
  changed: ["~", "yellow"],
  moved: ["↕", "yellow"],
  removed: ["-", "red"],
} as const;

type Paint = ReturnType<typeof painter>;

export function reviewText(review: Review, color: boolean): string {
  const { changes, behavior, calls } = review;
  const paint = painter({ color });
  const sentences = [...sentencesOf(behavior), ...(calls ? callSentences(calls) : [])].map(
    (sentence) => `  ${visibleLine(sentence)}\n`,
  );
  const head = sentences.length > 0 ? `\n${paint("Behavior", "bold")}\n` : "";
  return changesText(review, changes, color) + head + sentences.join("");
}

/** One line per element and per changed field. The graphs are only needed to detect renamed nodes. */
export function changesText(graphs: Pick<Review, "from" | "to">, changes: readonly Change[], color: boolean): string {
  const paint = painter({ color });
  const lines = changes.flatMap((change) => {
    const { kind, what, id, fields, before, after } = change;
    const [mark, tint] = marks[kind] as readonly [string, Color];
    const name = what === id ? "" : ` ${visibleLine(id)}`;
    const head = paint(`${mark} ${what}${name}${kind === "moved" ? " moved" : ""}`, tint) + ownerOf(change);
    if (kind === "added" || kind === "removed") return [head];
    const fieldText = (field: string) => `${words(before[field], after[field], paint)}${ownerOf(change, field)}`;
    return [head, ...fields.map((field) => `    ${visibleLine(field)}: ${fieldText(field)}`)];
  });
  const has = (kind: Change["kind"]) => changes.some((change) => change.what === "node" && change.kind === kind);
  const renames = has("added") && has("removed") ? plan(graphs.from, graphs.to).renames : [];
  return [
    ...lines,
    ...renames.map((each) => `  (node ${visibleLine(each.from)} was probably renamed to ${visibleLine(each.to)})`),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Removed words are shown as `[-…-]` and added words as `{+…+}`, as in Git. */
function words(before: unknown, after: unknown, paint: Paint): string {
  const runs = markedWords(before, after);
  if (!runs) return `${shownValue(before)} → ${shownValue(after)}`;
  const shown = runs.map(({ kind, text }) =>
    kind === "same" ? text : kind === "removed" ? paint(`[-${text}-]`, "red") : paint(`{+${text}+}`, "green"),
  );
  return `"${shown.join("")}"`;
}
