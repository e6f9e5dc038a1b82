import type { Span } from "../text";

/** Something that could not be read. Rules (rules/) say everything else. */
export interface ReadProblem {
  readonly code: "yaml-syntax" | "duplicate-key" | "limit";
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
}
