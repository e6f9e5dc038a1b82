/** Reviews as a self-contained page, without scripts or network access. */
import { type Change, pictureOf } from "../../flow/review";
import { visible } from "../../text";
import { pictureSvg } from "./flow-svg";
import { markedWords, ownerOf, shownValue } from "./marked";
import type { Review } from "./review";
import { sentencesOf } from "./sentences";

/** Larger graphs are slow to lay out and hard to read. */
export const PICTURE_LIMITS = { nodes: 300, edges: 500 };
const MAX_CHANGES = 5000;

const STYLE = `
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
  .picture { overflow: auto; max-height: 80vh; border: 1px solid #8886; }
  del { background: #ff818240; } ins { background: #4ac26b40; }
  li { margin: .2rem 0; } code { font: 13px ui-monospace, monospace; }
  @media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } }`;

export function reviewsHtml(reviews: readonly Review[]): string {
  const changed = reviews.filter(({ changes }) => changes.length > 0);
  const body = changed.length > 0 ? changed.map(section).join("\n") : "<p>No flows changed.</p>";
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Flow changes</title><style>${STYLE}
</style></head><body><h1>Flow changes</h1>
${body}
</body></html>
`;
}

function section({ path, oldPath, from, to, changes, behavior }: Review): string {
  const sentences = sentencesOf(behavior, 200).map((sentence) => `<li>${html(sentence)}</li>`);
  const picture = pictureOf(from, to, changes, PICTURE_LIMITS);
  const left = picture.leftOut > 0 ? `<p>${picture.leftOut} changed nodes and edges aren't shown.</p>` : "";
  return [
    `<section><h2><code>${html(path)}</code>${oldPath === undefined ? "" : ` (was <code>${html(oldPath)}</code>)`}</h2>`,
    sentences.length > 0 ? `<ul>${sentences.join("\n")}</ul>` : "",
    picture.nodes.length > 0 ? `<div class="picture">${pictureSvg(picture, to.entry)}</div>${left}` : "",
    `<h3>All changes</h3><ul>${changes.slice(0, MAX_CHANGES).map(changeItem).join("\n")}</ul></section>`,
  ].join("\n");
}

function changeItem(change: Change): string {
  const { kind, what, id, fields, before, after } = change;
  const head = `${kind} ${what}${what === id ? "" : ` <code>${html(id)}</code>`}${ownerOf(change)}`;
  if (kind === "added" || kind === "removed") return `<li>${head}</li>`;
  const fieldText = (field: string) => `${words(before[field], after[field])}${ownerOf(change, field)}`;
  const items = fields.map((field) => `<li><code>${html(field)}</code>: ${fieldText(field)}</li>`);
  return `<li>${head}<ul>${items.join("")}</ul></li>`;
}

function words(before: unknown, after: unknown): string {
  const runs = markedWords(before, after);
  if (!runs) return `<del>${html(shownValue(before))}</del> <ins>${html(shownValue(after))}</ins>`;
  const tags = { same: "span", removed: "del", added: "ins" } as const;
  return runs.map(({ kind, text }) => `<${tags[kind]}>${html(text)}</${tags[kind]}>`).join("");
}

function html(text: string): string {
  return visible(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
