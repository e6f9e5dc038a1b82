/** What the slips share: the line that they look at, and the cause that they return. */
import type { Span } from "../text";
import type { Cause } from "./problem";

/** One line of a piece. */
export interface Line {
  readonly start: number;
  /** Without its line break. */
  readonly text: string;
  readonly indent: number;
  /** The indentation of the next line that isn't blank; -1 after the last. */
  readonly nextIndent: number;
  /** That line; empty after the last. */
  readonly next: string;
  readonly previousIndent: number;
  readonly previousOpens: boolean;
}

/** A common mistake: the causes that it may be in a line. */
export type Slip = (line: Line, text: string) => readonly Cause[];

/** The column of a line's key, after its dashes. */
export function keyColumn(line: string): number {
  return /^[ \t]*(?:-[ \t]+)*/.exec(line)?.[0].length ?? 0;
}

/** A cause whose fix replaces one text. `span` is the place of the mistake, if it is another one. */
export function cause(message: string, title: string, start: number, end: number, text: string, span?: Span): Cause {
  return { message, title, span: span ?? { start, end }, edits: [{ start, end, text }] };
}
