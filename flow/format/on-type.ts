/** Formatting while typing: reads one block and changes one or two lines. */
import type { FlowDocument } from "../document";
import { lineEnd, lineStart, pad } from "../edit/lines";
import { guarded } from "../guard";
import { shift, type TextEdit } from "../text";
import { type ListValue, type MapValue, scalarsIn, type Value } from "../values";
import { collectFlowGaps, type Layout } from "./layout";

/** The characters that trigger it. */
export const typingTriggers = ["\n", "}", "]", "-"] as const;

/** `offset` is right after the typed character. */
export function formatOnType(document: FlowDocument, offset: number, typed: string): readonly TextEdit[] {
  if (typed === "-") return afterDash(document, offset);
  return guarded(document, editsAfter(document, offset, typed), { changes: "nothing" });
}

function editsAfter(document: FlowDocument, offset: number, typed: string): TextEdit[] {
  const block = document.blockAt(Math.max(0, offset - 1));
  if (!block) return [];
  const base = document.startOf(block);
  const text = block.text;
  const at = offset - base;
  if (typed === "\n")
    return afterEnter(text, block.value, at).map((edit) => ({ ...shift(edit, base), text: edit.text }));
  const flow = flowEndingAt(block.value, at);
  if (!flow || text.slice(flow.span.start, flow.span.end).includes("\n")) return [];
  const layout: Layout = { columns: new Map(), regions: [], gaps: [] };
  collectFlowGaps(text, flow, layout);
  return layout.gaps.map((edit) => ({ ...shift(edit, base), text: edit.text })).sort((a, b) => a.start - b.start);
}

/**
 * Moves a dash to the dashes of the list above. Enter after `- to: x` continues that item, for `when:`; a dash there would
 * be a syntax error.
 */
function afterDash(document: FlowDocument, offset: number): TextEdit[] {
  const block = document.blockAt(Math.max(0, offset - 1));
  if (!block) return [];
  const { text, value } = block;
  const base = document.startOf(block);
  const at = offset - base;
  const start = lineStart(text, at);
  const column = at - 1 - start;
  if (start === 0 || text.slice(start, lineEnd(text, start)).trimEnd() !== `${pad(column)}-`) return [];
  for (const { span } of scalarsIn(value)) if (span.start < start && span.end >= at) return [];
  const above = text
    .slice(0, start)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const last = (above.at(-1) ?? "").replace(/ #.*/, "").trimEnd();
  if (/:(?: *[|>][-+\d]*)?$/.test(last)) return [];
  // In the first column, below an indented list, it can only be its next item.
  const list = column === 0 ? itemBelowKey(above) : undefined;
  if (list !== undefined) return [{ start: base + start, end: base + start, text: list }];
  // The column of the fields around the dash. In a map inside an item, a dash can only belong to the list of the item.
  let fields = column;
  // The text of a block starts at its key, so the first line lacks its indentation here.
  for (const line of above.slice(1).reverse()) {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indent > fields || (indent === fields && !/^ *-(?: |$)/.test(line))) continue;
    const map = /^( *(?:- +)?)[^\s#-][^#]*:\s*(?:#.*)?$/.exec(line)?.[1];
    fields = map?.length ?? fields;
    const item = /^( *)- +/.exec(line);
    if (item?.[0].length === fields)
      return [{ start: base + start, end: base + start + column, text: item[1] as string }];
    if (map === undefined || item) return [];
  }
  return [];
}

/** The indentation of the first item, if the lines are a key and its list. */
function itemBelowKey([key = "", ...lines]: readonly string[]): string | undefined {
  if (!/^[^\s#-][^#]*:\s*(?:#.*)?$/.test(key)) return undefined;
  return /^( +)-(?: |$)/.exec(lines.find((line) => !/^ *#/.test(line)) ?? "")?.[1];
}

/** Removes trailing spaces from the line above; after a key without a value, indents the next line by one level. */
function afterEnter(text: string, value: Value | undefined, at: number): TextEdit[] {
  const start = lineStart(text, at);
  if (start === 0) return [];
  const aboveStart = lineStart(text, start - 1);
  const aboveEnd = lineEnd(text, aboveStart);
  for (const scalar of scalarsIn(value))
    if (
      scalar.span.start < aboveEnd &&
      scalar.span.end > aboveEnd + 1 &&
      text.slice(scalar.span.start, scalar.span.end).includes("\n")
    )
      return [];
  const above = text.slice(aboveStart, aboveEnd);
  const edits: TextEdit[] = [];
  const trimmed = above.trimEnd().length;
  if (trimmed < above.length && trimmed > 0) edits.push({ start: aboveStart + trimmed, end: aboveEnd, text: "" });
  const opened = /^([ ]*(?:- +)*)(?!- )[^\s#'"{[][^#]*:\s*(?:#.*)?$/.exec(above.trimEnd());
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
  const empty = start + indent.length >= text.length || /[\r\n]/.test(text[start + indent.length] as string);
  // The text of a block starts at its key, so the first line lacks its indentation here.
  if (opened && empty && aboveStart > 0) {
    const column = (opened[1] as string).length + 2;
    if (indent !== pad(column)) edits.push({ start, end: start + indent.length, text: pad(column) });
  }
  return edits;
}

function flowEndingAt(value: Value | undefined, at: number): MapValue | ListValue | undefined {
  if (value === undefined || value.kind === "scalar") return undefined;
  if (value.flow && value.span.end === at) return value;
  const children = value.kind === "list" ? value.items : value.pairs.map((pair) => pair.value);
  for (const child of children) {
    const found = flowEndingAt(child, at);
    if (found) return found;
  }
  return undefined;
}
