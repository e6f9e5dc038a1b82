/** Refactorings of layout: the order of variables, block or flow style. */

import { commentsOf } from "../comments";
import { composeEdits } from "../edit/compose";
import { columnOf, elementEnd, isFirstOnLine, leadStart, lineStart, pad } from "../edit/lines";
import { isInFlow, mapOf, open, type Page, valueIn } from "../edit/page";
import { writeInline, writeKey, writeLine } from "../edit/write";
import type { Meaning } from "../guard";
import { type Span, type TextEdit, trimmedEnd } from "../text";
import { keyText, type ListValue, type MapValue, type ScalarValue, toData, type Value } from "../values";
import type { Refactoring, Selection } from "./refactoring";

const means: Meaning = { changes: "nothing" };

export function sortVariables({ document, span }: Selection): Refactoring[] {
  const block = document.blockAt(span.start);
  if (block?.section !== "context_variables" && block?.key !== "context_variables") return [];
  const names = document.variables.map((variable) => variable.name);
  const sorted = [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  if (names.length < 2 || names.every((name, i) => name === sorted[i])) return [];
  const edits = () => {
    const page = open(document);
    const { pairs, flow } = mapOf(page, document.variables);
    const regions = pairs.map((pair): Span => {
      if (flow) return pair.span;
      const column = columnOf(page.text, pair.key.span.start);
      return { start: leadStart(page.text, pair.key.span.start), end: elementEnd(page.text, pair.span.end, column) };
    });
    const order = names
      .map((name, index) => ({ name, index }))
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    const changes = order.flatMap(({ index }, at): TextEdit[] => {
      const region = regions[index] as Span;
      return index === at ? [] : [{ ...(regions[at] as Span), text: page.text.slice(region.start, region.end) }];
    });
    return composeEdits([], changes, document.length);
  };
  return [{ kind: "rewrite", id: "sort-variables", title: "Sort context variables by name", means, edits }];
}

/** The innermost map or list around the cursor that can be converted. */
export function convertStyle({ document, span }: Selection): Refactoring[] {
  const block = document.blockAt(span.start);
  // In a section or a file in braces, everything is in flow style.
  if (!block || isInFlow({ document, text: document.text }, block)) return [];
  const base = document.startOf(block);
  const whole =
    block.value?.kind !== "scalar" && block.value?.flow ? { name: `"${block.key}"`, ...asWhole } : undefined;
  const found = innermost(block.value, block.text, span.start - base, whole);
  if (!found || hasProperties(block.text, found.value)) return [];
  const { name, path } = found;
  const page = () => open(document);
  const target = (value: Value | undefined) =>
    path.reduce<Value | undefined>(
      (at, step) => (at?.kind === "list" ? at.items[step] : at?.kind === "map" ? at.pairs[step]?.value : undefined),
      value,
    );
  if (found.value.flow) {
    const edits = () => toBlock(page(), target(valueIn(page(), block)) as MapValue | ListValue, found.isItem);
    return [{ kind: "rewrite", id: "to-block-style", title: `Convert ${name} to block style`, means, edits }];
  }
  const inside = commentsOf(block).some(
    (comment) => comment.span.start > found.value.span.start && comment.span.start < found.value.span.end,
  );
  const line = writeInline(toData(found.value), open(document).style);
  if (inside || line.length > 110 || hasLines(found.value)) return [];
  const edits = () => toFlow(page(), target(valueIn(page(), block)) as MapValue | ListValue);
  return [{ kind: "rewrite", id: "to-flow-style", title: `Convert ${name} to flow style`, means, edits }];
}

const asWhole = { path: [], isItem: false };

/** An anchor, a tag or a merge key on the value or inside it: rewriting the value would lose or move it. */
function hasProperties(text: string, { span }: Value): boolean {
  const before = text.slice(lineStart(text, span.start), span.start);
  const inside = text.slice(span.start, span.end);
  return (
    /(?:^|[\s,[{])[&!][^\s,[\]{}]*\s*$/.test(before) ||
    /(?:^|[\s,[{])[&!]\S/.test(inside) ||
    /(?:^|[\s,[{])["']?<<["']?\s*:/.test(inside)
  );
}

interface Found {
  readonly value: MapValue | ListValue;
  readonly name: string;
  readonly path: readonly number[];
  readonly isItem: boolean;
}

function innermost(
  value: Value | undefined,
  text: string,
  at: number,
  parent: Omit<Found, "value"> | undefined,
): Found | undefined {
  if (value === undefined || value.kind === "scalar" || text[value.span.start] === "*") return undefined;
  const own = parent && { ...parent, value };
  // Inside braces everything is in flow style, so the outermost collection is converted.
  if (own && value.flow && isFilled(value)) return own;
  const path = parent?.path ?? [];
  const children =
    value.kind === "list"
      ? value.items.map((item, i) => ({
          item,
          name: parent?.name === '"edges"' ? "this edge" : "this item",
          isItem: true,
          step: i,
          span: item.span,
        }))
      : value.pairs.map((pair, i) => ({
          item: pair.value,
          name: `"${keyText(pair)}"`,
          isItem: false,
          step: i,
          span: pair.span,
        }));
  for (const { item, name, isItem, step, span } of children) {
    const from = isItem && !value.flow ? text.lastIndexOf("\n", span.start) + 1 : span.start;
    if (at < Math.min(from, span.start) || at > span.end) continue;
    const found = innermost(item, text, at, { name, isItem, path: [...path, step] });
    if (found) return found;
  }
  return own && isFilled(value) ? own : undefined;
}

function isFilled(value: MapValue | ListValue): boolean {
  return value.kind === "list" ? value.items.length > 0 : value.pairs.length > 0;
}

function hasLines(value: Value): boolean {
  if (value.kind === "scalar") return typeof value.value === "string" && value.value.includes("\n");
  return value.kind === "list"
    ? value.items.some(hasLines)
    : value.pairs.some((pair) => pair.value !== undefined && hasLines(pair.value));
}

/** One line for each part; the parts keep their own text. */
function toBlock({ text, style }: Page, value: MapValue | ListValue, isItem: boolean): TextEdit[] {
  const lineStart = text.lastIndexOf("\n", value.span.start - 1) + 1;
  const keyAt = lineStart + text.slice(lineStart).search(/[^ ]/);
  const keyColumn = columnOf(text, isItem ? value.span.start : innerKey(text, keyAt));
  const raw = (part: Value | undefined) => (part ? text.slice(part.span.start, part.span.end) : "");
  if (value.kind === "map") {
    const column = isItem ? keyColumn : keyColumn + style.indent;
    const pairs = value.pairs.map((pair) => `${raw(pair.key)}:${pair.value ? ` ${raw(pair.value)}` : ""}`);
    const body = pairs.join(`${style.eol}${pad(column)}`);
    return isItem ? [replaced(text, value, body)] : [replaced(text, value, `${style.eol}${pad(column)}${body}`, true)];
  }
  const column = isItem ? keyColumn : keyColumn + style.dash;
  const items = value.items.map((item) => `- ${raw(item)}`);
  const body = items.join(`${style.eol}${pad(column)}`);
  return isItem ? [replaced(text, value, body)] : [replaced(text, value, `${style.eol}${pad(column)}${body}`, true)];
}

/** The first key on a line, after any dashes. */
function innerKey(text: string, at: number): number {
  return at + (/^(?:- +)*/.exec(text.slice(at, at + 40))?.[0].length ?? 0);
}

/** Replaces a value; if a block goes below its key, the comment after the value moves to the key's line. */
function replaced(text: string, value: Value, body: string, below = false): TextEdit {
  const { start, end } = value.span;
  if (!below) {
    const comment = /^[ \t]+#.*/.exec(text.slice(end))?.[0];
    const [first = "", ...rest] = body.split(/(?=\r?\n)/);
    return comment
      ? { start, end: end + comment.length, text: first + comment.trimEnd() + rest.join("") }
      : { start, end, text: body };
  }
  const gap = start - trimmedEnd(text.slice(0, start), " \t").length;
  const comment = /^[ \t]+#[^\r\n]*/.exec(text.slice(end))?.[0] ?? "";
  return { start: start - gap, end: end + comment.length, text: comment + body };
}

function toFlow({ text, style }: Page, value: MapValue | ListValue): TextEdit[] {
  const write = (part: Value | undefined): string => {
    if (part === undefined) return "null";
    if (part.kind === "scalar") return writeScalar(part);
    if (text[part.span.start] === "*") return text.slice(part.span.start, part.span.end);
    if (part.flow) return text.slice(part.span.start, part.span.end);
    if (part.kind === "list") return `[${part.items.map(write).join(", ")}]`;
    return `{${part.pairs.map((pair) => `${writeKey(keyText(pair), style, true)}: ${write(pair.value)}`).join(", ")}}`;
  };
  const writeScalar = (scalar: ScalarValue) => {
    const raw = text.slice(scalar.span.start, scalar.span.end);
    if (typeof scalar.value !== "string") return raw === "" ? "null" : raw;
    return scalar.style === "single" || (scalar.style === "double" && !raw.includes("\n"))
      ? raw
      : writeLine(scalar.value, style, true);
  };
  const { start } = value.span;
  let end = value.span.end;
  while (/\s/.test(text[end - 1] as string)) end--;
  if (!isFirstOnLine(text, start)) return [{ start, end, text: write(value) }];
  // A block below its key moves up to the key's line.
  const from = text.slice(0, start).trimEnd().length;
  return [{ start: from, end, text: ` ${write(value)}` }];
}
