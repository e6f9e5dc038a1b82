/** Completion inside text: the values of a variable in a condition, and rule codes in a comment. */
import { type FlowDocument, ruleCatalog, type Span } from "../../../flow";
import { valuesIn } from "../../../flow/run";
import { hasInOrder } from "./match";
import type { Place } from "./place-scanner";
import { type Suggestion, suggest } from "./suggestion";

export interface InText {
  /** The part of the text that a suggestion replaces. */
  readonly word: Span;
  readonly items: readonly Suggestion[];
}

export function suggestionsInText(document: FlowDocument, offset: number, place: Place): InText | undefined {
  if (place.kind === "comment") return ruleCodes(document, offset);
  return place.kind === "value" && place.path.at(-1) === "when" ? valuesAfterIs(document, offset) : undefined;
}

/** `{{plan}} is …`, `{{plan}} == …`: the possible values of the variable. */
function valuesAfterIs(document: FlowDocument, offset: number): InText | undefined {
  const { before, after } = around(document, offset);
  const found = /\{\{\s*([A-Za-z][\w-]*)\s*\}\}\s*(?:is not|isn't|is|==|!=|=)\s+(['"\\]*)([\w-]*(?: [\w-]+)*)$/i.exec(
    before,
  );
  const values = found && valuesIn(document)(found[1] as string);
  if (!values || values.length === 0) return undefined;
  const typed = found[3] as string;
  const rest = /^[\w-]*/.exec(after)?.[0].length ?? 0;
  return {
    word: { start: offset - typed.length, end: offset + rest },
    // Values must not contain the quote that surrounds the condition.
    items: values.filter((value) => !/["'\\\n]/.test(value)).map((value) => suggest("value", value)),
  };
}

/** `# flow-ignore …`: the rules that the comment doesn't name yet. */
function ruleCodes(document: FlowDocument, offset: number): InText | undefined {
  const { before, after } = around(document, offset);
  const found = /#\s*flow-ignore:?\s+((?:[\w-]+[\s,]+)*)([\w-]*)$/.exec(before);
  if (!found) return undefined;
  const typed = (found[2] as string).toLowerCase();
  const named = new Set((found[1] as string).split(/[\s,]+/));
  const rest = /^[\w-]*/.exec(after)?.[0].length ?? 0;
  return {
    word: { start: offset - (found[2] as string).length, end: offset + rest },
    items: ruleCatalog
      .filter(({ code }) => !named.has(code) && code !== "yaml-syntax" && code !== "limit" && hasInOrder(code, typed))
      .map(({ code, title }) => suggest("value", code, title)),
  };
}

/** The line of an offset, before and after it. */
function around(document: FlowDocument, offset: number): { before: string; after: string } {
  const { line } = document.positionAt(offset);
  const start = document.offsetAt({ line, character: 0 });
  const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
  return { before: document.slice({ start, end: offset }), after: document.slice({ start: offset, end }) };
}
