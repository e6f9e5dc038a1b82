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

/** The part of a span that matches the first group of a pattern; `nth` is the 0-based index of the match. */
export function narrow(span: SourceSpan, pattern: RegExp, nth = 0): SourceSpan | undefined {
  const text = span.raw_text_excerpt;
  if (text === undefined) return undefined;
  const match = [...text.matchAll(new RegExp(pattern.source, `${pattern.flags.replace("g", "")}gd`))][nth];
  const place = match?.indices?.[1];
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

/** Matches `field: value` to the end of the value on its line. */
export const fieldPattern = (field: string) => new RegExp(`(?<![\\w-])(${literal(field)}:[^\\n\\r,}]*[^\\s,}])`);

/** Matches the value of a field on one line, without quotes. */
export const valuePattern = (field: string, value: string) =>
  new RegExp(`(?<![\\w-])${literal(field)}:\\s*["']?(${literal(value)})(?![\\w-])`);

/** Matches the name inside `{{name}}`. */
export const templatePattern = (name: string) => new RegExp(`\\{\\{\\s*(${literal(name)})\\s*\\}\\}`);

/** Matches the key of the node at the start of its text. */
export const keyPattern = /^(["']?[^\s:"']+["']?)\s*:/;

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
