/**
 * Converts the platform's spans to places in our text.
 *
 * The platform doesn't document where its lines and columns start, the unit of columns, or whether the end is
 * inclusive. We send 1-based lines, 1-based UTF-16 columns, and an exclusive end, and expect the same; the excerpt sent
 * with a span decides. An interpretation whose text equals the excerpt is right, in this order: ours, then with an
 * inclusive end, then columns in code points, then everything again 0-based. If none matches, the text has moved: the
 * excerpt is searched for in the finding's subject (subject.ts), then in the whole file, nearest to its original place.
 * The last resorts are the subject itself and the first line of the file.
 *
 * An excerpt is compared with its whitespace folded, and may be truncated (`…` or `...` at its end, or at the length
 * where the platform cuts).
 */
import type { FlowDocument } from "../document";
import type { SourceSpan } from "../graph/ops";
import { locate } from "../locate";
import type { Span } from "../text";
import type { Anchor, PlacedFinding, PlatformFinding } from "./finding";
import { findEdge, type Subject, subjectOf } from "./subject";

export function placeFinding(document: FlowDocument, finding: PlatformFinding): PlacedFinding {
  const subject = subjectOf(document, finding);
  const { span, anchor } = place(document, finding.source_span, subject);
  const element = subject?.element;
  const isWhole = subject && span.start <= subject.name.start && span.end >= trimmed(document, subject.span).end;
  const shown = isWhole && document.slice(span).includes("\n") ? subject.name : span;
  const related = relatedPlaces(document, finding, span);
  return { finding, span, shown, anchor, ...(element ? { element } : {}), related };
}

/** Related elements are shown by ID; a span that starts at one of them is the same place. */
function relatedPlaces(document: FlowDocument, finding: PlatformFinding, own: Span): PlacedFinding["related"] {
  const related: { message: string; span: Span }[] = [];
  const seen = new Set([own.start]);
  const add = (message: string, span: Span, start: number) => {
    if (!seen.has(start) && !seen.has(span.start)) related.push({ message, span });
    seen.add(start).add(span.start);
  };
  for (const id of finding.related_node_ids ?? []) {
    const at = id === finding.node_id ? undefined : locate(document, { kind: "node", id });
    if (at) add(`Node ${id}`, at.name, at.span.start);
  }
  for (const id of finding.related_edge_ids ?? []) {
    const edge = id === finding.edge_id ? undefined : findEdge(document, id);
    const at = edge && locate(document, edge);
    if (at) add(`Edge ${id}`, at.name, at.span.start);
  }
  for (const other of finding.related_spans ?? []) {
    const at = place(document, other, undefined);
    if (at.anchor !== "file") add("Related place", at.span, at.span.start);
  }
  return related;
}

/** The place of a span in a document; `subject` is what the finding is about, if that's known. */
function place(
  document: FlowDocument,
  source: Partial<SourceSpan> | undefined,
  subject: Subject | undefined,
): { readonly span: Span; readonly anchor: Anchor } {
  // A section is too large to tell whether a span belongs to it.
  const home = subject?.anchor === "section" ? undefined : subject;
  const excerpt = source?.raw_text_excerpt?.trim() ? source.raw_text_excerpt : undefined;
  const readings = source ? readingsOf(document, source) : [];
  if (excerpt !== undefined) {
    const fitting = readings.find((reading) => isExcerpt(document.slice(reading), excerpt));
    if (fitting) return { span: trimmed(document, fitting), anchor: "span" };
    const near = readings[0]?.start ?? home?.span.start ?? 0;
    const found =
      (home && nearest(search(document.slice(home.span), excerpt, home.span.start), near)) ??
      nearest(search(document.text, excerpt, 0), near);
    if (found) return { span: found, anchor: "excerpt" };
  } else {
    const inside = readings.find((reading) => !home || overlaps(reading, home.span));
    if (inside) return { span: trimmed(document, inside), anchor: "span" };
  }
  return subject ? { span: subject.name, anchor: subject.anchor } : { span: firstLine(document), anchor: "file" };
}

/** The interpretations of a span inside the document, the most likely first. */
function readingsOf(document: FlowDocument, source: Partial<SourceSpan>): Span[] {
  const { start_line, start_col, end_line, end_col } = source;
  if (![start_line, start_col, end_line, end_col].every(Number.isInteger)) return [];
  const numbers = [start_line, start_col, end_line, end_col] as [number, number, number, number];
  const readings: Span[] = [];
  for (const base of numbers.includes(0) ? [0, 1] : [1, 0])
    for (const unit of ["utf-16", "code-point"] as const)
      for (const inclusive of [0, 1]) {
        const start = offset(document, numbers[0] - base, numbers[1] - base, unit);
        const end = offset(document, numbers[2] - base, numbers[3] - base + inclusive, unit);
        if (start === undefined || end === undefined || end < start) continue;
        if (end === start && inclusive === 0) continue;
        if (!readings.some((known) => known.start === start && known.end === end)) readings.push({ start, end });
      }
  return readings;
}

function offset(
  document: FlowDocument,
  line: number,
  column: number,
  unit: "utf-16" | "code-point",
): number | undefined {
  if (line < 0 || column < 0 || line >= document.lineCount) return undefined;
  const start = document.offsetAt({ line, character: 0 });
  const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
  if (unit === "utf-16") return start + column > end ? undefined : start + column;
  const text = document.slice({ start, end });
  let units = 0;
  let points = 0;
  for (const point of text) {
    if (points === column) break;
    units += point.length;
    points++;
  }
  return points === column ? start + units : undefined;
}

/** Whether a string matches an excerpt. */
function isExcerpt(text: string, excerpt: string): boolean {
  const whole = fold(text);
  const { folded, cut } = foldExcerpt(excerpt);
  if (whole === folded) return true;
  return whole.startsWith(folded) && (cut || folded.length >= LIKELY_CUT);
}

/** An excerpt of this length that's only the beginning of the text was probably truncated by the platform. */
const LIKELY_CUT = 80;

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function foldExcerpt(excerpt: string): { folded: string; cut: boolean } {
  const folded = fold(excerpt);
  const body = folded.replace(/(?<!\s)\s*(?:…|\.\.\.)$/, "");
  return body !== folded && body !== "" ? { folded: body, cut: true } : { folded, cut: false };
}

const MAX_SEARCHED = 500;

/** Every place that matches the excerpt, apart from whitespace. */
function search(text: string, excerpt: string, base: number): Span[] {
  // The beginning of a long excerpt is enough, and limits the work at each place.
  const { folded, cut } = foldExcerpt(excerpt);
  const isBeginning = cut || folded.length > MAX_SEARCHED;
  const words = folded.slice(0, MAX_SEARCHED).trimEnd().split(" ");
  const found: Span[] = [];
  for (const { start, end } of occurrences(text, words)) {
    if (isWhole(text, start, text.slice(start, end), isBeginning)) found.push({ start: base + start, end: base + end });
    if (found.length >= 1000) break;
  }
  return found;
}

/** Where the words follow each other with only whitespace between them. */
function* occurrences(text: string, words: readonly string[]): Generator<Span> {
  const [first = ""] = words;
  if (first === "") return;
  for (let start = text.indexOf(first); start >= 0; ) {
    const end = endOf(text, start, words);
    if (end !== undefined) yield { start, end };
    start = text.indexOf(first, end ?? start + 1);
  }
}

function endOf(text: string, start: number, words: readonly string[]): number | undefined {
  const space = /\s+/y;
  let at = start;
  for (const [i, word] of words.entries()) {
    space.lastIndex = at;
    if (i > 0) {
      if (!space.test(text)) return undefined;
      at = space.lastIndex;
    }
    if (!text.startsWith(word, at)) return undefined;
    at += word.length;
  }
  return at;
}

/**
 * A word of the excerpt must not be a part of a longer word in the text: `to: end` is not found in `to: end_call`. Only the last
 * word of an excerpt that was cut may be.
 */
function isWhole(text: string, index: number, match: string, isBeginning: boolean): boolean {
  const word = /[\p{L}\p{N}_]/u;
  const before = index > 0 && word.test(text[index - 1] ?? "") && word.test(match[0] ?? "");
  const after = word.test(text[index + match.length] ?? "") && word.test(match[match.length - 1] ?? "");
  return !before && (isBeginning || !after);
}

function nearest(spans: readonly Span[], to: number): Span | undefined {
  let best: Span | undefined;
  for (const span of spans) if (!best || Math.abs(span.start - to) < Math.abs(best.start - to)) best = span;
  return best;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** A span without whitespace at its ends, so that no squiggle covers a line break. */
function trimmed(document: FlowDocument, span: Span): Span {
  const text = document.slice(span);
  const start = span.start + (text.length - text.trimStart().length);
  const end = span.end - (text.length - text.trimEnd().length);
  return start < end ? { start, end } : span;
}

export function firstLine(document: FlowDocument): Span {
  return { start: 0, end: document.offsetAt({ line: 0, character: Number.MAX_SAFE_INTEGER }) };
}
