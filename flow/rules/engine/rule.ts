/**
 * What a rule is: its code, its default severity, its check, its fixes, in a file named after the code (components.ts has
 * three that share their work); its page is docs/rules/<code>.md. A rule looks at one entry alone (its result is kept
 * while the entry stays the same), at entries that share something, or at the shape of the whole flow (run again only
 * when ids, types, edges or uses of variables change). What cannot be known is never reported.
 */
import type { Analysis } from "../../analysis";
import type { Block, FlowDocument, NodeBlock } from "../../document";
import type { Field } from "../../fields";
import type { Position, Span, TextEdit } from "../../text";
import type { Value } from "../../values";

export type Severity = "error" | "warning" | "info" | "hint";

/** Severity by rule code, where it is not the default; `off` silences a rule. */
export type RuleSettings = Readonly<Record<string, Severity | "off">>;

/** What a rule says of a place in a file. Fixes are chosen by `code` and `data`, never by the message. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly RelatedPlace[];
  /** All places with the same cause, which are not reported on their own. */
  readonly also?: readonly RelatedPlace[];
  /** How it comes about, for whoever looks closer. */
  readonly why?: string;
  readonly data?: unknown;
  /** Shown faded: the text has no effect. */
  readonly unnecessary?: boolean;
  /** The platform complains of the same. */
  readonly alsoBy?: "platform";
}

export interface RelatedPlace {
  readonly message: string;
  readonly span: Span;
  /** Another file; absent for this one. */
  readonly uri?: string;
  /** Of a place in another file whose text is at hand: its lines. */
  readonly range?: { readonly start: Position; readonly end: Position };
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The one a person would take without thinking; fix-all takes it too. */
  readonly preferred?: boolean;
  /** It silences the problem instead of solving it, so it's offered after everything else. */
  readonly suppresses?: boolean;
}

/** A fix whose edits take a look at the whole file: they are worked out when somebody asks for them. */
export function laterFix(title: string, work: () => readonly TextEdit[]): Fix {
  let edits: readonly TextEdit[] | undefined;
  return {
    title,
    get edits() {
      edits ??= work();
      return edits;
    },
  };
}

/** A finding inside one entry; places are relative to the entry. */
export interface BlockFinding {
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly data?: unknown;
  readonly unnecessary?: boolean;
  /** Where it is not the rule's own; a setting wins over both. */
  readonly severity?: Severity;
}

/** A finding about the shape of the flow: it names elements, whose places are looked up when they are shown. */
export interface GraphFinding {
  readonly message: string;
  /** Where it is not the rule's own; a setting wins over both. */
  readonly severity?: Severity;
  readonly at: At;
  /** Places that belong to it, as a list or worked out when somebody looks. */
  readonly related?: readonly RelatedAt[] | (() => readonly RelatedAt[]);
  /** The places with the same cause, which are not reported on their own, all or the first ones; worked out when somebody looks. */
  readonly also?: (most?: number) => readonly RelatedAt[];
  /** How it comes about, in a sentence; worked out when somebody looks. */
  readonly why?: () => string;
  readonly data?: unknown;
  readonly unnecessary?: boolean;
}

export interface RelatedAt {
  readonly message: string;
  readonly at: At;
}

/**
 * An element by its number, which stays true while the shape stays the same: a node's key, one of its edges (by place
 * in the list), one of its uses of a variable (by place in `refs`), the same for variables and top-level keys. With
 * `field`, the value of that field.
 */
export type At =
  | { readonly node: number; readonly edge?: number; readonly use?: number; readonly field?: string }
  | { readonly variable: number; readonly field?: string }
  | { readonly top: string; readonly use?: number };

/** What the variables of a file say that a rule about a single entry may need. */
export interface Declared {
  /** No variable is declared. */
  readonly isEmpty: boolean;
  has(variable: string): boolean;
  /** The values an enumerated variable may take. */
  valuesOf(variable: string): readonly string[] | undefined;
}

/** All rules about fields share one walk over an entry: a large flow has a hundred thousand fields. */
export interface FieldCheck {
  readonly concerns: (field: Field) => boolean;
  readonly check: (
    block: Block,
    field: Field,
    value: Value | undefined,
    report: (finding: BlockFinding) => void,
  ) => void;
}

export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  /** One line for lists: what is wrong. */
  readonly title: string;
  readonly checkBlock?: (block: Block, report: (finding: BlockFinding) => void) => void;
  /** Like `checkEntry`, for a rule about single fields: it is asked about every field it cares for. */
  readonly checkField?: FieldCheck;
  /** Like `checkEntry`, for a rule that also needs the variables' declarations. */
  readonly checkDeclared?: (block: Block, declared: Declared, report: (finding: BlockFinding) => void) => void;
  readonly checkGraph?: (flow: Analysis, report: (finding: GraphFinding) => void) => void;
  /**
   * Nodes with the same number are handed to `checkGroup` together, in the order of the file, where there are at least
   * two of them. Nodes that belong together have the same number; others may come to have it by chance.
   */
  readonly groupBy?: (node: NodeBlock) => number | undefined;
  readonly checkGroup?: (nodes: readonly NodeBlock[], report: (node: NodeBlock, finding: BlockFinding) => void) => void;
  readonly fixes?: (problem: Problem, document: FlowDocument) => readonly Fix[];
}
