/** The target layout of a value: columns of keys and dashes, regions that move as a whole, gaps between tokens. */
import type { Block } from "../document";
import { columnOf, isFirstOnLine, lineEnd, lineStart } from "../edit/lines";
import type { Page } from "../edit/page";
import { endOfText, type Span, type TextEdit } from "../text";
import type { ListValue, MapValue, Value } from "../values";

export interface Layout {
  /** Maps the offset of a key or dash that starts its line to its target column. */
  readonly columns: Map<number, number>;
  readonly regions: Region[];
  readonly gaps: TextEdit[];
}

/** A multi-line value. Its first line is laid out like any other; the lines below move together. */
export interface Region extends Span {
  /** A block scalar: its lines are text, and its indentation becomes this column. */
  readonly content?: { readonly column: number; readonly explicit: boolean; readonly keep: boolean };
}

export const INDENT = 2;

export function collectLayout(
  page: Page,
  block: Block,
  value: Value | undefined,
  column: number | undefined,
  layout: Layout,
): void {
  const { text } = page;
  const start = page.document.startOf(block) + block.keySpan.start;
  const keyEnd = start + block.keySpan.end - block.keySpan.start;
  const at = column ?? columnOf(text, start);
  if (isFirstOnLine(text, start)) layout.columns.set(start, at);
  const section = block.section === "top" && (block.key === "nodes" || block.key === "context_variables");
  if (section && value?.kind === "map") {
    const brace = /^\s*:\s*\{/.exec(text.slice(keyEnd, keyEnd + 100));
    // A section in braces moves as a whole; its blocks aren't laid out separately.
    if (brace) layout.regions.push({ start: keyEnd, end: page.document.extentOf(block).end });
    return;
  }
  collectPairValue(text, keyEnd, value, at, layout);
}

/** The value after a key whose target is `column`. */
function collectPairValue(
  text: string,
  keyEnd: number,
  value: Value | undefined,
  column: number,
  layout: Layout,
): void {
  const colon = /^([ \t]*):([ \t]*)/.exec(text.slice(keyEnd, keyEnd + 200));
  if (!colon) return;
  const gapEnd = keyEnd + colon[0].length;
  const gapStart = keyEnd + (colon[1] as string).length + 1;
  if (value && value.span.start === gapEnd && gapEnd - gapStart !== 1)
    layout.gaps.push({ start: gapStart, end: gapEnd, text: " " });
  collectValue(text, value, column, layout);
}

function collectValue(text: string, value: Value | undefined, column: number, layout: Layout): void {
  if (value === undefined || text[value.span.start] === "*") return;
  if (value.kind === "scalar") {
    if (value.style === "literal" || value.style === "folded") {
      const header = /^[|>][-+\d]*/.exec(text.slice(value.span.start, value.span.start + 4))?.[0] ?? "";
      const content = { column: column + INDENT, explicit: /\d/.test(header), keep: header.includes("+") };
      layout.regions.push({
        start: value.span.start,
        end: endOfText(text, value.span.end, value.span.start),
        content,
      });
    } else if (isMultiline(text, value.span)) layout.regions.push(value.span);
  } else if (value.flow) {
    if (isMultiline(text, value.span)) layout.regions.push(value.span);
    collectFlowGaps(text, value, layout);
  } else if (value.kind === "map") collectMap(text, value, column + INDENT, layout);
  else collectList(text, value, column + INDENT, layout);
}

function collectMap(text: string, map: MapValue, column: number, layout: Layout): void {
  for (const pair of map.pairs) {
    if (text[pair.key.span.start] === "*") {
      // Pairs added by a merge key aren't in the text; the merge key is.
      const line = lineStart(text, pair.key.span.start);
      const merge = line + text.slice(line).search(/[^ ]/);
      if (text.startsWith("<<", merge)) layout.columns.set(merge, column);
      continue;
    }
    if (isFirstOnLine(text, pair.key.span.start)) layout.columns.set(pair.key.span.start, column);
    collectPairValue(text, pair.key.span.end, pair.value, column, layout);
  }
}

function collectList(text: string, list: ListValue, column: number, layout: Layout): void {
  const dashColumn = columnOf(text, list.span.start);
  for (const item of list.items) {
    const dash = dashOf(text, item, dashColumn, list.span.start);
    if (dash === undefined) continue;
    if (isFirstOnLine(text, dash)) layout.columns.set(dash, column);
    const gap = text.slice(dash + 1, item.span.start);
    if (!/^[ \t]+$/.test(gap)) {
      // An anchor, a tag, or a line break comes before the item: text on the dash's line keeps its distance.
      const sameLine = !gap.includes("\n");
      const distance = sameLine ? item.span.start - dash : INDENT;
      if (item.kind === "map" && !item.flow && text[item.span.start] !== "*")
        collectMap(text, item, column + distance, layout);
      else collectValue(text, item, column, layout);
      continue;
    }
    if (gap !== " ") layout.gaps.push({ start: dash + 1, end: item.span.start, text: " " });
    collectValue(text, item, column, layout);
  }
}

/** The dash before an item of a block list. */
function dashOf(text: string, item: Value, column: number, from: number): number | undefined {
  for (let line = lineStart(text, item.span.start); line + column >= from; line = lineStart(text, line - 1)) {
    const bom = line === 0 && text[0] === "\uFEFF" ? 1 : 0;
    const at = line + column + bom;
    if (text[at] === "-" && at < item.span.start) return at;
    if (line === 0) return undefined;
  }
  return undefined;
}

/** One space after commas and colons, none inside the brackets, if both sides are on one line. */
export function collectFlowGaps(text: string, value: MapValue | ListValue, layout: Layout): void {
  if (text[value.span.start] === "*") return;
  const parts = value.kind === "map" ? value.pairs.map((pair) => pair.span) : value.items.map((item) => item.span);
  if (parts.some((part) => part.end <= part.start || part.start <= value.span.start)) return;
  let from = value.span.start + 1;
  parts.forEach((part, index) => {
    const gap = text.slice(from, part.start);
    const wanted = index === 0 ? "" : ", ";
    if (gap !== wanted && (index === 0 ? /^[ \t]*$/ : /^[ \t]*,[ \t]*$/).test(gap))
      layout.gaps.push({ start: from, end: part.start, text: wanted });
    from = part.end;
  });
  const tail = text.slice(from, value.span.end - 1);
  if (parts.length > 0 && tail !== "" && /^[ \t]*$/.test(tail))
    layout.gaps.push({ start: from, end: value.span.end - 1, text: "" });
  if (value.kind === "list") {
    for (const item of value.items) if (item.kind !== "scalar") collectFlowGaps(text, item, layout);
    return;
  }
  for (const pair of value.pairs) {
    if (pair.value === undefined) continue;
    const gap = /^[ \t]*:[ \t]*/.exec(text.slice(pair.key.span.end, pair.value.span.start));
    if (gap && gap[0] !== ": " && pair.key.span.end + gap[0].length === pair.value.span.start)
      layout.gaps.push({ start: pair.key.span.end, end: pair.value.span.start, text: ": " });
    if (pair.value.kind !== "scalar") collectFlowGaps(text, pair.value, layout);
  }
}

function isMultiline(text: string, span: Span): boolean {
  return lineEnd(text, span.start) < span.end;
}
