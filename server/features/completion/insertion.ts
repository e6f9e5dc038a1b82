/**
 * How a suggestion gets into the text. Its lines are written as if it began in the first column; here they get the
 * indentation of the place. An editor that says it adjusts indentation adds that of the line by itself, and only the rest
 * is sent. For every other one the lines are complete, and without tab stops: with those, some editors adjust unasked.
 */
import type { FlowDocument } from "../../../flow";
import type { Suggestion, Suggestions } from "./completion";

/** What an editor does with the text of a suggestion. */
export interface Inserting {
  /** It knows tab stops (`$1`, `${1:word}`). */
  readonly snippets: boolean;
  /** It indents further lines like the line the text is put on. */
  readonly adjusts: boolean;
}

/** What has to be known of the text around. */
export type Lines = Pick<FlowDocument, "slice" | "positionAt" | "offsetAt">;

export interface Insertion {
  readonly text: string;
  readonly isSnippet: boolean;
  readonly hasLines: boolean;
}

export function insertionOf(document: Lines, found: Suggestions, item: Suggestion, by: Inserting): Insertion {
  const hasLines = item.insert.includes("\n");
  const isSnippet = item.snippet === true && by.snippets && (by.adjusts || !hasLines);
  const text = isSnippet || !item.snippet ? item.insert : withoutStops(item.insert);
  if (!hasLines) return { text: found.lead + text, isSnippet, hasLines };
  const { line, character } = document.positionAt(found.replace.start);
  const start = document.offsetAt({ line, character: 0 });
  const indent = /^[ \t]*/.exec(document.slice({ start, end: found.replace.start }))?.[0].length ?? 0;
  const column = character + found.lead.length - (by.adjusts ? indent : 0);
  const bom = line === 0 && document.slice({ start: 0, end: 1 }) === "\uFEFF" ? 1 : 0;
  const eol = !by.adjusts && /\r\n/.test(document.slice({ start: 0, end: 2000 })) ? "\r\n" : "\n";
  return { text: found.lead + text.replaceAll("\n", eol + " ".repeat(Math.max(0, column - bom))), isSnippet, hasLines };
}

/** A snippet as plain text. */
function withoutStops(snippet: string): string {
  return snippet.replace(
    /\$\{\d+:([^}]*)\}|\$\{\d+\}|\$\d+|\\([$}\\])/g,
    (_, word = "", escaped = "") => word + escaped,
  );
}

/** Somebody's words inside a snippet. */
export function asSnippet(words: string): string {
  return words.replace(/[\\$}]/g, "\\$&");
}
