/**
 * A rule has a code, a default severity, a check, and fixes, in a file named after the code (components.ts has three
 * that share their work); its page is docs/rules/<code>.md. A rule checks one block (its result is cached while the
 * block stays the same), blocks that share a key, or the whole graph (run again only when IDs, types, edges, or uses of
 * variables change). Anything uncertain isn't reported.
 */
import type { Analysis } from "../../analysis";
import type { Block, FlowDocument, NodeBlock } from "../../document";
import type { Field } from "../../fields";
import type { Position, Span, TextEdit } from "../../text";
import type { DeclaredVariable, KnownTools, ToolDefinition } from "../../tools";
import type { Pair, ScalarValue, Value } from "../../values";

/** The most severe first. */
export const SEVERITIES = ["error", "warning", "info", "hint"] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Severities by rule code that override the defaults; `off` disables a rule. */
export type RuleSettings = Readonly<Record<string, Severity | "off">>;

/** A problem at a place in a file. Fixes are chosen by `code` and `data`, never by the message. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly RelatedPlace[];
  /** All places with the same cause, which aren't reported separately. */
  readonly also?: readonly RelatedPlace[];
  /** How the problem comes about, shown on request. */
  readonly why?: string;
  readonly data?: unknown;
  /** Shown faded: the text has no effect. */
  readonly unnecessary?: boolean;
  /** The platform reports the same problem. */
  readonly alsoBy?: "platform";
}

export interface RelatedPlace {
  readonly message: string;
  readonly span: Span;
  /** The file of the place; absent for the same file. */
  readonly uri?: string;
  /** For a place in another file, its lines, if the text is available. */
  readonly range?: { readonly start: Position; readonly end: Position };
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The obvious fix, which fix-all applies too. */
  readonly preferred?: boolean;
  /** It silences the problem instead of solving it, so it's offered last. */
  readonly suppresses?: boolean;
}

/** A fix whose edits depend on the whole file, so they're computed on request. */
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

/** A fix with one edit; none if the edit can't be made. */
export function fixWith(title: string, edit: TextEdit | undefined, preferred = false): Fix[] {
  return edit ? [{ title, edits: [edit], ...(preferred && { preferred }) }] : [];
}

/** The fixes of a rule whose problems have the right text as their `data`, if it's known. */
export function replaceWithData(
  title = (data: string) => `Replace with "${data}"`,
  text = (data: string) => data,
  preferred = true,
): (problem: Problem) => Fix[] {
  return ({ span, data }) =>
    typeof data === "string" ? fixWith(title(data), { ...span, text: text(data) }, preferred) : [];
}

/** A finding inside one block; places are relative to the block. */
export interface BlockFinding {
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly data?: unknown;
  readonly unnecessary?: boolean;
  /** Overrides the rule's severity, unless a setting does. */
  readonly severity?: Severity;
}

/** A finding about the graph: it refers to elements, whose places are looked up on request. */
export interface GraphFinding {
  readonly message: string;
  /** Overrides the rule's severity, unless a setting does. */
  readonly severity?: Severity;
  readonly at: At;
  /** Related places, as a list or computed on request. */
  readonly related?: readonly RelatedAt[] | (() => readonly RelatedAt[]);
  /** All or the first places with the same cause, which aren't reported separately; computed on request. */
  readonly also?: (most?: number) => readonly RelatedAt[];
  /** How the problem comes about, in one sentence; computed on request. */
  readonly why?: () => string;
  readonly data?: unknown;
  readonly unnecessary?: boolean;
}

export interface RelatedAt {
  readonly message: string;
  readonly at: At;
}

/**
 * An element by number, valid while the shape stays the same: a node's key, one of its edges (by index), one of its
 * uses of a variable (by index in `refs`); similarly for variables and top-level keys. With `field`, the value of that
 * field.
 */
export type At =
  | { readonly node: number; readonly edge?: number; readonly use?: number; readonly field?: string }
  | { readonly variable: number; readonly field?: string }
  | { readonly top: string; readonly use?: number };

/** The declared variables, for rules about a single block. */
export interface Declared {
  readonly isEmpty: boolean;
  has(variable: string): boolean;
  /** The allowed values of an enumerated variable. */
  valuesOf(variable: string): readonly string[] | undefined;
}

/** All rules about fields share one walk over a block: a large flow has a hundred thousand fields. */
export interface FieldCheck {
  readonly concerns: (field: Field) => boolean;
  readonly check: (
    block: Block,
    field: Field,
    value: Value | undefined,
    report: (finding: BlockFinding) => void,
  ) => void;
}

/** A node of type `tool` with the definition of its tool. */
export interface ToolUse {
  readonly node: NodeBlock;
  /** The value of the node's `tool` field. */
  readonly id: ScalarValue;
  /** Undefined if the tools are known and none has this ID. */
  readonly tool: ToolDefinition | undefined;
  /** The pairs under `inputs`; undefined if they can't be known, such as in `inputs: "{{all}}"`. */
  readonly inputs: readonly Pair[] | undefined;
  readonly known: KnownTools;
  variable(name: string): DeclaredVariable | undefined;
}

export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  /** A noun phrase for lists. */
  readonly title: string;
  readonly checkBlock?: (block: Block, report: (finding: BlockFinding) => void) => void;
  /** Like `checkBlock`, for a rule about single fields: it's called for every field it concerns. */
  readonly checkField?: FieldCheck;
  /** Like `checkBlock`, for a rule that also needs the declared variables. */
  readonly checkDeclared?: (block: Block, declared: Declared, report: (finding: BlockFinding) => void) => void;
  readonly checkGraph?: (flow: Analysis, report: (finding: GraphFinding) => void) => void;
  /**
   * Nodes with the same key are passed to `checkGroup` together, in file order, if there are at least two. Keys are
   * hashes, so unrelated nodes may share one by chance. Only one rule can do this.
   */
  readonly groupBy?: (node: NodeBlock) => number | undefined;
  readonly checkGroup?: (nodes: readonly NodeBlock[], report: (node: NodeBlock, finding: BlockFinding) => void) => void;
  /** Called for every tool node whose tool can be looked up. `checkTools` runs these rules, with definitions from outside. */
  readonly checkTool?: (use: ToolUse, report: (finding: BlockFinding) => void) => void;
  readonly fixes?: (problem: Problem, document: FlowDocument) => readonly Fix[];
}
