/**
 * Finds a line with one space too many or too few in a file whose keys aren't known. Several moves may make the text
 * valid; a fix is offered only if all of them mean the same, so that it can't move a key to another level.
 */
import { applyEdits, type TextEdit } from "../text";
import { toData } from "../values";
import { findDuplicates } from "./duplicates";
import type { Cause, ReadProblem } from "./problem";
import type { Reading } from "./yaml";

const MAX_LENGTH = 3_000;
/** How many lines before the first problem and after the last one may be the cause. */
const LINES_AROUND = 2;
const MAX_LINES = 12;

/** A key, with or without the dash of a list item. Another line could become part of the text above it. */
const KEY = /^ *(- +)?([\w$.-]+|"[^"]*"|'[^']*'):(?:\s|$)/;

/** `file` is the whole file of the text. */
export function oneSpaceOff(
  text: string,
  from: number,
  to: number,
  file: string,
  read: (text: string) => Reading,
): Cause | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const lines = [...text.matchAll(/^( *)([^\s#][^\r\n]*)/gm)].map(({ index, 1: blank = "", 2: words = "" }) => ({
    start: index,
    indent: blank.length,
    end: index + blank.length + words.trimEnd().length,
  }));
  const lineAt = (at: number) => lines.findLastIndex(({ start }) => start <= at);
  const starts = new Set([...file.matchAll(/^ *- +([\w-]+):/gm)].map(([, key]) => key));
  const near = lines.slice(Math.max(0, lineAt(from) - LINES_AROUND), lineAt(to) + 1 + LINES_AROUND);
  if (near.length > MAX_LINES) return undefined;
  const found: { readonly cause: Cause; readonly column: number; readonly data: string }[] = [];
  for (const { start, indent, end } of near)
    for (const by of indent > 0 ? [1, -1] : []) {
      const edit: TextEdit = by > 0 ? { start, end: start, text: " " } : { start, end: start + 1, text: "" };
      const { problems, items } = read(applyEdits(text, [edit]));
      if (problems.length > 0) continue;
      const [, dash, key] = KEY.exec(text.slice(start, end)) ?? [];
      // Without the dash that it has elsewhere, the line would become a field of the item above.
      if (key === undefined || (dash === undefined && starts.has(key)) || repeats(items)) return undefined;
      const message =
        by > 0
          ? "This line is 1 space too far left, so it isn't read as part of the text or key above. Add 1 space."
          : "This line is 1 space too deep, so it isn't read as part of the text or key above. Remove 1 space.";
      const cause = { message, span: { start: start + indent, end }, title: "Fix indentation", edits: [edit] };
      const data = JSON.stringify(items.map(({ key, value }) => [key.value, value && toData(value)]));
      found.push({ cause, column: indent + by, data });
    }
  if (new Set(found.map(({ data }) => data)).size !== 1) return undefined;
  return (found.find(({ column }) => column % 2 === 0) ?? found[0])?.cause;
}

function repeats(items: Reading["items"]): boolean {
  const found: ReadProblem[] = [];
  for (const { value, at } of items) findDuplicates(value, at, found);
  return found.length > 0;
}
