/**
 * Places in a text. Inside this project a place is an offset in UTF-16 code units, as in a JavaScript string;
 * `Position` (line and column) exists only where somebody outside asks for it.
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

/** Where the line of an offset starts, in a text whose lines end with `\n`. */
export function lineStartIn(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** A text without these signs at its end. A pattern would look for the end from every place where such a sign stands. */
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

/** As much of a text as a message about a mistake quotes: the file may hold something that wasn't meant to be shown. */
export function briefly(text: string, limit = 60): string {
  return text.length > limit ? `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** The name of the file at an address, as a person knows it. Not every address an editor sends is encoded as it should be. */
export function fileNameIn(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
