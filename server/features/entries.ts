/** The entries of a document that a range of the file touches, found without walking through all of them. */
import type { Entry, FlowDocument, Span } from "../../flow";

export function entriesIn(document: FlowDocument, span: Span): Entry[] {
  return [
    ...document.tops.filter((entry) => touches(document, entry, span)),
    ...inSpan(document, document.variables, span),
    ...inSpan(document, document.nodes, span),
  ].sort((a, b) => document.startOf(a) - document.startOf(b));
}

/** Every entry in the order of the file. */
export function allEntries(document: FlowDocument): Entry[] {
  return document.tops.flatMap((top): Entry[] => {
    if (top.key === "nodes" && top === document.top("nodes")) return [top, ...document.nodes];
    if (top.key === "context_variables" && top === document.top("context_variables"))
      return [top, ...document.variables];
    return [top];
  });
}

function inSpan<Each extends Entry>(document: FlowDocument, entries: readonly Each[], span: Span): Each[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle] as Each;
    if (document.startOf(entry) + entry.text.length <= span.start) low = middle + 1;
    else high = middle;
  }
  const found: Each[] = [];
  for (let at = low; at < entries.length; at++) {
    const entry = entries[at] as Each;
    if (document.startOf(entry) > span.end) break;
    found.push(entry);
  }
  return found;
}

function touches(document: FlowDocument, entry: Entry, span: Span): boolean {
  const start = document.startOf(entry);
  return start <= span.end && start + entry.text.length > span.start;
}

/** From the key to the end of what is written, without the blank lines after it. */
export function writtenSpan(entry: Entry): Span {
  const end = Math.max(entry.value?.span.end ?? 0, entry.keySpan.end);
  return trimmed(entry, { start: entry.keySpan.start, end });
}

/** A span of an entry without the white space at its end: the reader gives a block the line break after it. */
export function trimmed(entry: Entry, { start, end }: Span): Span {
  let last = Math.min(end, entry.text.length);
  while (last > start && /\s/.test(entry.text[last - 1] as string)) last--;
  return { start, end: last };
}
