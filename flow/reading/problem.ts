import { type Span, shift, type TextEdit } from "../text";

/** A parse problem. Rules (rules/) report everything else. */
export interface ReadProblem {
  readonly code: "yaml-syntax" | "duplicate-key" | "limit";
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  /** The fix, verified by parsing the fixed text. */
  readonly data?: { readonly title: string; readonly edits: readonly TextEdit[] };
}

/** The likely cause of a parse problem, with its fix. */
export interface Cause {
  readonly message: string;
  readonly span: Span;
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export const TOO_LONG: ReadProblem = {
  code: "limit",
  message: "Files over 5 MB can be edited and saved, but aren't checked. Split the flow into components.",
  span: { start: 0, end: 1 },
};

export function moveProblem(problem: ReadProblem, by: number): ReadProblem {
  return {
    ...problem,
    span: shift(problem.span, by),
    ...(problem.data
      ? { data: { ...problem.data, edits: problem.data.edits.map((edit) => ({ ...edit, ...shift(edit, by) })) } }
      : {}),
    ...(problem.related
      ? { related: problem.related.map((place) => ({ ...place, span: shift(place.span, by) })) }
      : {}),
  };
}
