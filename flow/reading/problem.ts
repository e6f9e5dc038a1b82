import type { Span, TextEdit } from "../text";

/** Something that could not be read. Rules (rules/) say everything else. */
export interface ReadProblem {
  readonly code: "yaml-syntax" | "duplicate-key" | "limit";
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  /** What mends it, in a text that was tried. */
  readonly data?: { readonly title: string; readonly edits: readonly TextEdit[] };
}
