/** The place of a value: after the colon of a pair, or after the dash or comma of an item. */
import { endOfText, type TextEdit } from "../text";
import type { Value } from "../values";
import { lineEnd } from "./lines";
import type { Style } from "./style";
import { type Written, writeInline, writeItem, writeLine, writeValue } from "./write";

export interface Slot {
  /** Right after the colon or the dash; for items of flow lists, the start of the item. */
  readonly from: number;
  /** The column of the key or the dash. */
  readonly column: number;
  /** Inside `{}` or `[]`, where everything stays in flow style. */
  readonly flow: boolean;
  /** The key, if the slot belongs to a pair. */
  readonly key?: string;
}

/** Replaces a value in its style, keeping the comment after it and its anchor. */
export function replaceValue(
  text: string,
  slot: Slot,
  value: Value | undefined,
  data: unknown,
  style: Style,
): TextEdit[] {
  if (slot.flow) return replaceInFlow(text, slot, value, data, style);
  const written = write(slot, value, data, style);
  const props = value ? text.slice(slot.from, value.span.start) : "";
  const anchor = /(?:^|\s)(&[^\s,[\]{}]+)/.exec(props.replace(/(?:^|\s)#.*/g, ""))?.[1];
  const tagged = /(?:^|\s)!/.test(props.replace(/(?:^|\s)#.*/g, ""));
  if (value && written.body === "" && !tagged && isInline(text, slot, value))
    return [{ start: value.span.start, end: value.span.end, text: written.head }];
  const { end, comment } = extent(text, slot, value, written.body !== "");
  const head = [anchor, written.head, comment].filter((part) => part !== undefined && part !== "").join(" ");
  return [{ start: slot.from, end, text: (head === "" ? "" : ` ${head}`) + written.body }];
}

function write(slot: Slot, value: Value | undefined, data: unknown, style: Style): Written {
  const prefer = value?.kind === "scalar" ? value.style : undefined;
  if (slot.key === undefined)
    return writeItem(data, slot.column, style, value?.kind === "map" ? value.flow : undefined);
  if (
    typeof data !== "string" &&
    value !== undefined &&
    value.kind !== "scalar" &&
    value.flow &&
    slot.key !== "edges"
  ) {
    const line = writeInline(data, style);
    if (line.length <= 100) return { head: line, body: "" };
  }
  return writeValue(data, slot.column, style, slot.key, prefer);
}

/** The value starts on the line of its key or dash, and isn't a block. */
function isInline(text: string, slot: Slot, value: Value): boolean {
  if (value.span.start > lineEnd(text, slot.from)) return false;
  if (text[value.span.start] === "*") return true;
  return value.kind === "scalar" ? value.style !== "literal" && value.style !== "folded" : value.flow;
}

/** The end of the old value, and the comment on its first line that must stay there. */
function extent(text: string, slot: Slot, value: Value | undefined, block: boolean): { end: number; comment?: string } {
  const firstEnd = lineEnd(text, slot.from);
  if (value === undefined || isInline(text, slot, value)) {
    const from = value === undefined ? slot.from : value.span.end;
    const end = lineEnd(text, from);
    const comment = /(?:^|\s)(#[\s\S]*)$/.exec(text.slice(from, end))?.[1];
    // A value that stays on its line keeps the comment and the spaces before it.
    return block ? { end, comment } : { end: from };
  }
  const comment = /(?:^|\s)(#[\s\S]*)$/.exec(text.slice(slot.from, firstEnd))?.[1];
  const last = endOfText(text, value.span.end, slot.from);
  const end = block ? Math.max(firstEnd, lineEnd(text, last)) : Math.max(last, firstEnd);
  return { end, comment };
}

function replaceInFlow(text: string, slot: Slot, value: Value | undefined, data: unknown, style: Style): TextEdit[] {
  const prefer = value?.kind === "scalar" ? value.style : undefined;
  const line = typeof data === "string" ? writeLine(data, style, true, prefer) : writeInline(data, style, true);
  if (value === undefined)
    return [{ start: slot.from, end: slot.from, text: text[slot.from - 1] === ":" ? ` ${line}` : line }];
  const props = text.slice(slot.from, value.span.start);
  const start = props.includes("!") ? slot.from : value.span.start;
  return [{ start, end: value.span.end, text: start === slot.from && text[start - 1] === ":" ? ` ${line}` : line }];
}
