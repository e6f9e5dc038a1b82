/** Selection ranges: word, template, value, pair, element, block, section, file. */
import { endOfText, type FlowDocument, type Span, shift, type Value } from "../../flow";
import { endOfBlock } from "./extents";

/** The ranges around an offset, from the smallest to the whole file. */
export function rangesAround(document: FlowDocument, offset: number): Span[] {
  const ranges: Span[] = [{ start: 0, end: document.length }];
  const push = (span: Span) => {
    const last = ranges.at(-1) as Span;
    const inside = span.start >= last.start && span.end <= last.end && span.start <= offset && offset <= span.end;
    if (inside && (span.start > last.start || span.end < last.end)) ranges.push(span);
  };
  const section = document.tops.find((top) => {
    const { start, end } = document.extentOf(top);
    return start <= offset && offset <= end;
  });
  if (section) push({ start: document.startOf(section), end: endOfBlock(document, section) });
  const block = document.blockAt(offset) ?? (offset > 0 ? document.blockAt(offset - 1) : undefined);
  if (block) {
    const base = document.startOf(block);
    push({ start: base, end: endOfBlock(document, block) });
    push(shift(block.keySpan, base));
    rangesInside(block.value, base, block.text, offset, push);
  }
  return ranges.reverse();
}

function rangesInside(
  value: Value | undefined,
  base: number,
  text: string,
  offset: number,
  push: (span: Span) => void,
): void {
  if (value === undefined) return;
  const span = shift({ start: value.span.start, end: endOfText(text, value.span.end, value.span.start) }, base);
  if (offset < span.start || offset > span.end) return;
  push(span);
  if (value.kind === "list") for (const item of value.items) rangesInside(item, base, text, offset, push);
  else if (value.kind === "map")
    for (const pair of value.pairs) {
      const end = Math.max(pair.key.span.end, endOfText(text, pair.span.end, pair.span.start));
      push(shift({ start: pair.span.start, end }, base));
      push(shift(pair.key.span, base));
      rangesInside(pair.value, base, text, offset, push);
    }
  else {
    const at = offset - base;
    const word = wordAround(text, value.span, at);
    const template = templateAround(text, value.span, at);
    if (/^["']/.test(text.slice(value.span.start, value.span.end)))
      push(shift({ start: value.span.start + 1, end: value.span.end - 1 }, base));
    if (value.style === "literal" || value.style === "folded") push(shift(lineAround(text, at), base));
    if (template) push(shift(template, base));
    if (word) push(shift(word, base));
  }
}

function wordAround(text: string, within: Span, at: number): Span | undefined {
  let [start, end] = [at, at];
  const isWord = (index: number) => /[\p{L}\p{N}_-]/u.test(text[index] ?? "");
  while (start > within.start && isWord(start - 1)) start--;
  while (end < within.end && isWord(end)) end++;
  return end > start ? { start, end } : undefined;
}

function templateAround(text: string, within: Span, at: number): Span | undefined {
  for (const match of text.slice(within.start, within.end).matchAll(/\{\{[^{}]*\}\}/g)) {
    const start = within.start + match.index;
    if (start <= at && at <= start + match[0].length) return { start, end: start + match[0].length };
  }
  return undefined;
}

function lineAround(text: string, at: number): Span {
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const to = text.indexOf("\n", at);
  const line = text.slice(from, to < 0 ? undefined : to);
  const start = from + (line.length - line.trimStart().length);
  return { start: Math.min(start, at), end: Math.max(from + line.trimEnd().length, at) };
}
