/** Maps characters of a scalar's value to its source, which may contain quotes, escapes, and folded lines. */
import type { Span } from "./text";
import { type ScalarValue, scalarText } from "./values";

/** Converts places in a scalar's value to places in the block with the given text. */
export function sourcePlaces(scalar: ScalarValue, blockText: string): (span: Span) => Span {
  const { start, end } = scalar.span;
  const source = blockText.slice(start, end);
  const value = scalarText(scalar);
  // For an alias, every place is the alias itself.
  if (scalar.style === "plain" && source.startsWith("*")) return () => ({ start, end });
  const quoted = scalar.style === "single" || scalar.style === "double";
  if (source === value) return (span) => ({ start: start + span.start, end: start + span.end });
  const places = lettersOf(source, value, scalar.style, quoted ? 1 : 0);
  const at = (offset: number) => start + (places[offset] ?? source.length - (quoted ? 1 : 0));
  return (span) => {
    const last = at(span.end - 1);
    return span.end > span.start
      ? { start: at(span.start), end: Math.min(end, last + letterLength(blockText, last, scalar.style)) }
      : { start: at(span.start), end: at(span.start) };
  };
}

function lettersOf(source: string, value: string, style: ScalarValue["style"], from: number): number[] {
  const isBlock = style === "literal" || style === "folded";
  let at = isBlock ? Math.max(0, source.search(/[\r\n]/)) : from;
  const places: number[] = [];
  let wasBlank = false;
  for (let index = 0; index < value.length; index++) {
    const isEscape = style === "double" && source[at] === "\\" && !/[\r\n]/.test(source[at + 1] ?? "");
    const isBlank = /\s/.test(value[index] as string);
    // Runs of blanks match: a folded line break and its indentation are one blank.
    if (isBlank && wasBlank && !isEscape) {
      places.push(at);
      continue;
    }
    if (!isBlank && !isEscape) while (at < source.length && source[at] !== value[index]) at++;
    places.push(at);
    at += letterLength(source, at, style);
    if (isBlank && !isEscape) while (at < source.length && /\s/.test(source[at] as string)) at++;
    wasBlank = isBlank;
  }
  return places;
}

const ESCAPES: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

function letterLength(source: string, at: number, style: ScalarValue["style"]): number {
  if (style === "double" && source[at] === "\\") return ESCAPES[source[at + 1] ?? ""] ?? 2;
  return style === "single" && source.startsWith("''", at) ? 2 : 1;
}
