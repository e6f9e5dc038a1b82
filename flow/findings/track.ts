/** Keeps places up to date while the text changes. */
import type { Span, TextEdit } from "../text";

export interface TrackedSpan extends Span {
  /** The text of the span was edited since, so the finding may no longer hold. */
  readonly touched: boolean;
}

/** The place of a span after edits (sorted, disjoint, in coordinates before them). */
export function track(span: TrackedSpan, edits: readonly TextEdit[]): TrackedSpan {
  // From the last edit to the first, so that none shifts the coordinates of another.
  return edits.reduceRight(trackOne, span);
}

function trackOne(span: TrackedSpan, edit: TextEdit): TrackedSpan {
  const growth = edit.text.length - (edit.end - edit.start);
  // Letters next to the span change its first or last word.
  if (edit.start >= span.end && edit.start > span.start) {
    const isJoined = edit.start === span.end && STARTS_IN_WORD.test(edit.text);
    return isJoined ? { ...span, touched: true } : span;
  }
  if (edit.end <= span.start) {
    const touched = span.touched || (edit.end === span.start && ENDS_IN_WORD.test(edit.text));
    return { start: span.start + growth, end: span.end + growth, touched };
  }
  const start = edit.start < span.start ? edit.start + edit.text.length : span.start;
  const end = edit.end > span.end ? Math.max(start, edit.start) : span.end + growth;
  return { start, end: Math.max(start, end), touched: true };
}

const STARTS_IN_WORD = /^[\p{L}\p{N}_]/u;
const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u;
