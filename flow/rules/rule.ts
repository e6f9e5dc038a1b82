/**
 * What a rule is. One rule, one file in this folder: its code, its default severity, its check, its fixes; its page is
 * docs/rules/<code>.md. A rule looks either at one entry alone (its result is kept while the entry's text stays the
 * same), or at the shape of the whole flow (re-run only when ids, types, edges or uses of variables change), or at the
 * files of a workspace together.
 */
import type { Analysis } from "../analysis";
import type { Entry, FlowDocument } from "../document";
import type { ElementRef } from "../graph";
import type { Span, TextEdit } from "../text";

export type Severity = "error" | "warning" | "info" | "hint";

/** What a rule says of a place in a file. Fixes are chosen by `code` and `data`, never by the message. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly RelatedPlace[];
  readonly data?: unknown;
  /** Shown faded: the text has no effect. */
  readonly unnecessary?: boolean;
}

export interface RelatedPlace {
  readonly message: string;
  readonly span: Span;
  /** Another file; absent for this one. */
  readonly uri?: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The one a person would take without thinking; fix-all takes it too. */
  readonly preferred?: boolean;
}

/** A finding inside one entry; places are relative to the entry. */
export interface EntryFinding {
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly data?: unknown;
  readonly unnecessary?: boolean;
}

/** A finding about the shape of the flow: it names elements, whose places are looked up when they are shown. */
export interface GraphFinding {
  readonly message: string;
  readonly at: ElementRef | PartRef;
  readonly related?: readonly { readonly message: string; readonly at: ElementRef | PartRef }[];
  readonly data?: unknown;
  readonly unnecessary?: boolean;
}

/** A place inside an entry that is no element of its own, such as one use of a variable. */
export interface PartRef {
  readonly kind: "part";
  readonly entry: Entry;
  readonly span: Span;
}

export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  /** One line for lists: what is wrong. */
  readonly title: string;
  readonly checkEntry?: (entry: Entry, report: (finding: EntryFinding) => void) => void;
  readonly checkGraph?: (flow: Analysis, report: (finding: GraphFinding) => void) => void;
  readonly fixes?: (problem: Problem, document: FlowDocument) => readonly Fix[];
}
