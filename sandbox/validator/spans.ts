/**
 * Locations in the caller's file. A node includes its location and text there (`source_span`): 1-based lines, 1-based
 * UTF-16 columns, exclusive end. If the text is known, a finding points at the exact words.
 */
import type { GraphNode, SourceSpan } from "../../flow";

export function spanOf(node: GraphNode | undefined): SourceSpan | undefined {
  const span = node?.source_span as Partial<SourceSpan> | null | undefined;
  if (typeof span !== "object" || span === null) return undefined;
  const { start_line, start_col, end_line, end_col, raw_text_excerpt } = span;
  if (![start_line, start_col, end_line, end_col].every(Number.isInteger)) return undefined;
  return {
    start_line: start_line as number,
    start_col: start_col as number,
    end_line: end_line as number,
    end_col: end_col as number,
    ...(typeof raw_text_excerpt === "string" ? { raw_text_excerpt } : {}),
  };
}

/** What a finding points at: the first group of a pattern, or a value between two patterns. */
export type Words =
  | { readonly pattern: RegExp }
  | { readonly before: RegExp; readonly value: string; readonly after: RegExp };

/** The part of a span that the words describe; `nth` is the 0-based index of the match. */
export function narrow(span: SourceSpan, words: Words, nth = 0): SourceSpan | undefined {
  const text = span.raw_text_excerpt;
  if (text === undefined) return undefined;
  const place = placesOf(text, words)[nth];
  if (!place) return undefined;
  const start = positionIn(span, place[0]);
  const end = positionIn(span, place[1]);
  return {
    start_line: start.line,
    start_col: start.col,
    end_line: end.line,
    end_col: end.col,
    raw_text_excerpt: text.slice(place[0], place[1]),
  };
}

function placesOf(text: string, words: Words): (readonly [start: number, end: number])[] {
  if ("pattern" in words)
    return [...text.matchAll(words.pattern)].flatMap(({ indices }) => (indices?.[1] ? [indices[1]] : []));
  const { before, value, after } = words;
  return [...text.matchAll(before)].flatMap((match) => {
    const start = match.index + match[0].length;
    const end = start + value.length;
    after.lastIndex = end;
    return text.startsWith(value, start) && after.test(text) ? [[start, end] as const] : [];
  });
}

/** Whether the excerpt is the complete text of the span. */
export function isWhole(span: SourceSpan): boolean {
  if (span.raw_text_excerpt === undefined) return false;
  const end = positionIn(span, span.raw_text_excerpt.length);
  return end.line === span.end_line && end.col === span.end_col;
}

function positionIn(span: SourceSpan, offset: number): { readonly line: number; readonly col: number } {
  const lines = (span.raw_text_excerpt ?? "").slice(0, offset).split(/\r\n|\r|\n/);
  const last = lines.at(-1) ?? "";
  return {
    line: span.start_line + lines.length - 1,
    col: lines.length === 1 ? span.start_col + last.length : last.length + 1,
  };
}

/** `instructions` with its value, to the end of the line. */
export const instructionsWords: Words = { pattern: /(?<![\w-])(instructions:[^\n\r,}]*[^\s,}])/dg };

const FIELDS = {
  to: /(?<![\w-])to:\s*["']?/g,
  type: /(?<![\w-])type:\s*["']?/g,
  variable: /(?<![\w-])variable:\s*["']?/g,
};

/** The value of a field on one line, without quotes. */
export function valueWords(field: keyof typeof FIELDS, value: string): Words {
  return { before: FIELDS[field], value, after: /(?![\w-])/y };
}

/** The name inside `{{name}}`. */
export function templateWords(name: string): Words {
  return { before: /\{\{\s*/g, value: name, after: /\s*\}\}/y };
}

/** The key of the node at the start of its text. */
export const keyWords: Words = { pattern: /^(["']?[^\s:"']+["']?)\s*:/dg };
