/** Finds lines by offset. Only `\n` ends a line here, as in YAML; a `\r` before it is part of the line break. */

import { endOfText } from "../text";

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The end of the line around an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}

/** The start of the line after the one around an offset, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

/** The end of the line before the one that starts here. */
export function endOfLineBefore(text: string, start: number): number {
  return text[start - 2] === "\r" ? start - 2 : start - 1;
}

export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text[0] === "\uFEFF" ? 1 : 0);
}

/** True if there's only whitespace between the start of the line and the offset. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

export function pad(columns: number): string {
  return " ".repeat(Math.max(0, columns));
}

/**
 * The end of a block element whose value ends at `end` and whose key or dash is in `column`: the end of its last line,
 * including deeper-indented comments below, which belong to it.
 */
export function elementEnd(text: string, end: number, column: number): number {
  let result = lineEnd(text, endOfText(text, end));
  for (let at = nextLine(text, result); at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, lineEnd(text, at));
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    if (line[indent] !== "#" || indent <= column) break;
    result = at + line.length;
  }
  return result;
}

/** The start of an element's line, including the comments right above it in the same column. */
export function leadStart(text: string, start: number): number {
  const column = columnOf(text, start);
  let at = lineStart(text, start);
  while (at > 0) {
    const above = lineStart(text, at - 1);
    const line = text.slice(above, lineEnd(text, above));
    if (line.search(/\S/) !== column || line[column] !== "#") break;
    at = above;
  }
  return at;
}
