import type { Span } from "../../../flow";

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
