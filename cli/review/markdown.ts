/**
 * Reviews as a pull request comment. GitHub and GitLab limit the size of comments and diagrams, so what doesn't fit is
 * counted instead. The output is deterministic.
 */

import { type Change, pictureMermaid } from "../../flow/review";
import { codeSpan, escapeComment } from "../../text";
import { callSentences } from "../calls/sentences";
import { markedWords, ownerOf, shownValue } from "./marked";
import type { Review } from "./review";
import { sentencesOf } from "./sentences";

/** A workflow finds the comment to update by this mark. */
const COMMENT_MARK = "<!-- assistant-flow diff -->";

/** GitHub's limit is 65,536 characters. */
const MAX_COMMENT = 60_000;
/** The limits of Mermaid on GitHub and GitLab. */
export const MERMAID_LIMITS = { edges: 500, characters: 50_000 };

interface Detail {
  readonly changes: number;
  readonly sentences: number;
  readonly mermaid: { readonly edges: number; readonly characters: number };
}

/** From most to least detailed; the first one that fits is used. */
const DETAILS: readonly Detail[] = [
  { changes: 300, sentences: 40, mermaid: MERMAID_LIMITS },
  { changes: 150, sentences: 20, mermaid: { edges: 200, characters: 24_000 } },
  { changes: 60, sentences: 10, mermaid: { edges: 80, characters: 10_000 } },
  { changes: 20, sentences: 5, mermaid: { edges: 30, characters: 4_000 } },
  { changes: 5, sentences: 3, mermaid: { edges: 0, characters: 0 } },
];

export function reviewsMarkdown(reviews: readonly Review[]): string {
  const changed = reviews.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return `${COMMENT_MARK}\n## Flow changes\n\nNo flows changed.\n`;
  for (const detail of DETAILS) {
    const text = comment(changed, detail);
    if (text.length <= MAX_COMMENT) return text;
  }
  // Too many flows even for the least detailed form.
  const lines = changed.map(({ path, changes }) => `- ${codeSpan(path)}: ${countOf(changes)}`);
  let kept = lines.length;
  const all = () => [
    `${COMMENT_MARK}\n## Flow changes\n`,
    ...lines.slice(0, kept),
    ...(kept < lines.length ? [`- … and ${lines.length - kept} more flows`] : []),
  ];
  while (kept > 0 && all().join("\n").length > MAX_COMMENT) kept = Math.floor(kept * 0.8);
  return `${all().join("\n")}\n`;
}

function comment(reviews: readonly Review[], detail: Detail): string {
  return `${[`${COMMENT_MARK}\n## Flow changes`, ...reviews.map((review) => section(review, detail))].join("\n\n")}\n`;
}

function section({ path, oldPath, from, to, changes, behavior, calls }: Review, detail: Detail): string {
  const renamed = oldPath === undefined ? "" : ` (was ${codeSpan(oldPath)})`;
  const parts = [`### ${codeSpan(path)}${renamed}`, `${countOf(changes)}.`];
  const sentences = [...sentencesOf(behavior, detail.sentences), ...(calls ? callSentences(calls) : [])];
  if (sentences.length > 0) parts.push(sentences.map((sentence) => `- ${escapeComment(sentence)}`).join("\n"));
  const { text, leftOut } = pictureMermaid(from, to, changes, detail.mermaid);
  if (text !== "") {
    parts.push(`\`\`\`mermaid\n${text}\`\`\``);
    if (leftOut > 0) parts.push(`${leftOut} changed nodes and edges aren't shown.`);
  }
  const lines = changesMarkdown(changes, detail.changes);
  parts.push(`<details><summary>All changes</summary>\n\n${lines}\n\n</details>`);
  return parts.join("\n\n");
}

/** The changes as a list, which is cut if it is long. */
export function changesMarkdown(changes: readonly Change[], most: number): string {
  const lines = changes.slice(0, most).flatMap(changeLines);
  return [...lines, ...(changes.length > most ? [`- … and ${changes.length - most} more`] : [])].join("\n");
}

const SIGNS: Readonly<Record<Change["kind"], string>> = { added: "➕", removed: "➖", changed: "✏️", moved: "↕️" };

function changeLines(change: Change): string[] {
  const { kind, what, id, fields, before, after } = change;
  const head = `- ${SIGNS[kind]} ${kind} ${what}${what === id ? "" : ` ${codeSpan(id)}`}${ownerOf(change)}`;
  if (kind === "added" || kind === "removed") return [head];
  const fieldText = (field: string) => `${wordsOf(before[field], after[field])}${ownerOf(change, field)}`;
  return [head, ...fields.map((field) => `  - ${codeSpan(field)}: ${fieldText(field)}`)];
}

function wordsOf(before: unknown, after: unknown): string {
  const runs = markedWords(before, after);
  if (!runs) return `${escapeComment(shownValue(before))} → ${escapeComment(shownValue(after))}`;
  return runs
    .map(({ kind, text }) => {
      // Markdown markers must touch the word, so whitespace stays outside.
      const middle = text.trim();
      const lead = text.slice(0, text.length - text.trimStart().length);
      const trail = middle === "" ? "" : text.slice(text.trimEnd().length);
      if (kind === "same" || middle === "") return `${lead}${middle && escapeComment(middle)}${trail}`;
      return `${lead}<${kind === "removed" ? "del" : "ins"}>${escapeComment(middle)}</${kind === "removed" ? "del" : "ins"}>${trail}`;
    })
    .join("");
}

function countOf(changes: readonly Change[]): string {
  const kinds = ["added", "removed", "changed", "moved"] as const;
  const counts = kinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count > 0 ? [`${count} ${kind}`] : [];
  });
  return counts.join(", ");
}
