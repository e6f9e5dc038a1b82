/**
 * Inserts a suggestion into the text. Its lines are relative to the first column; here they get the indentation of the
 * position. An editor that adjusts indentation adds that of the line itself, so only the rest is sent. Other editors
 * get complete lines without tab stops, because some adjust the indentation of snippets anyway.
 */
import type { FlowDocument, Span } from "../../../flow";

/** What an editor does with the text of a suggestion. */
export interface Inserting {
  /** It supports tab stops (`$1`, `${1:word}`). */
  readonly snippets: boolean;
  /** It indents further lines like the line of the cursor. */
  readonly adjusts: boolean;
}

/** The parts of a document that are needed. */
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

/** Escapes text for a snippet. */
export function asSnippet(words: string): string {
  return words.replace(/[\\$}]/g, "\\$&");
}

export interface Suggestion {
  readonly label: string;
  /** The text to match typed input with, if it isn't the label. */
  readonly filter?: string;
  readonly kind: "key" | "node" | "variable" | "type" | "value" | "id" | "snippet";
  readonly detail?: string;
  /** Text with tab stops (`$1`, `${1:word}`) if `snippet` is true; further lines are relative to the first column. */
  readonly insert: string;
  readonly snippet?: boolean;
  /** Snippets of the same shape differ only in names, so one is tested for all. */
  readonly shape?: string;
  /** The subject of the documentation, which is resolved when the suggestion is shown (documentation.ts). */
  readonly about?: About;
  /** Opens the completion list again after this one is accepted. */
  readonly more?: boolean;
}

/** A suggestion that inserts a name or a value. */
export function suggest(kind: Suggestion["kind"], label: string, detail?: string, insert = label): Suggestion {
  return { label, kind, insert, ...(detail !== undefined && { detail }) };
}

/** A suggestion that inserts text with tab stops. */
export function suggestSnippet(label: string, detail: string, insert: string): Suggestion {
  return { label, kind: "snippet", detail, insert, snippet: true };
}

export interface About {
  readonly kind: "node" | "variable" | "field" | "type";
  readonly name: string;
  readonly path?: readonly string[];
}

export interface Suggestions {
  readonly replace: Span;
  /** A space that is missing after a colon or a dash. */
  readonly lead: "" | " ";
  readonly items: readonly Suggestion[];
  /** There are more matches than listed: request again after more input. */
  readonly incomplete: boolean;
}
