/**
 * Places in the text of a file. A place is an offset in UTF-16 code units, as in a JavaScript string; `Position` (line and column)
 * is only used at the interfaces to the outside.
 */

/** A half-open range of offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replace the span with the text. A list of edits refers to the text before any of them, sorted and disjoint. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Zero-based line and UTF-16 column. A line ends at `\n`, `\r\n` or a lone `\r`, as in the language server protocol. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let last = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(last, edit.start) + edit.text;
    last = edit.end;
  }
  return result + text.slice(last);
}

/** The start of each line. Lines end at `\n`, `\r\n` and a lone `\r`. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  if (text.includes("\r")) for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  else for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The index of the last number that's at most `limit`, in a sorted list whose first number is. */
export function lastAtMost(sorted: ArrayLike<number>, limit: number, end = sorted.length - 1): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first index from which on a condition holds, in a list in which it first fails and then holds; else the length. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many items two lists or texts have in common at the start, and how many more at the end. */
export function commonEnds(a: ArrayLike<unknown>, b: ArrayLike<unknown>): { head: number; tail: number } {
  const limit = Math.min(a.length, b.length);
  let head = 0;
  while (head < limit && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < limit - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}

/** The edit that turns one text into another: everything between their common ends. */
export function editBetween(before: string, after: string): TextEdit {
  const { head, tail } = commonEnds(before, after);
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}

/** The start of an offset's line. Lines end with `\n`. */
export function lineStartIn(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The end of the text before an offset, without whitespace. */
export function endOfText(text: string, end: number, start = 0): number {
  let at = Math.min(end, text.length);
  while (at > start && /\s/.test(text[at - 1] as string)) at--;
  return at;
}

/** A span without trailing whitespace: the parser includes the line breaks after a block value. */
export function trimmedSpan(text: string, { start, end }: Span): Span {
  return { start, end: endOfText(text, end, start) };
}

/** The line break that a file uses. */
export function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Removes trailing characters of a set. A regular expression would take quadratic time. */
export function trimmedEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

export function shift(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

export function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** The part of a string that a message quotes. It's short, because the file may contain something that shouldn't be shown. */
export function briefly(text: string, limit = 60): string {
  return text.length > limit ? `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** The file name in a URI. Not every URI from an editor is encoded correctly. */
export function fileNameIn(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The name of a file in a message about another one: with its folder if both have the same name. */
export function fileNameBeside(uri: string, other: string): string {
  const name = fileNameIn(uri);
  const end = uri.lastIndexOf("/");
  return end > 0 && name === fileNameIn(other) ? `${fileNameIn(uri.slice(0, end))}/${name}` : name;
}
