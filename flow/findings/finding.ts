/**
 * A finding as the platform sends it (flow names the fields as the wire does and expects none of them to be there),
 * and what becomes of it here: a place in the text and, where its fix can be trusted, edits.
 */
import type { ElementRef } from "../graph/graph";
import type { SourceSpan } from "../graph/ops";
import type { Span } from "../text";

export interface PlatformFinding {
  readonly severity?: string;
  readonly rule_id?: string;
  readonly category?: string;
  readonly message?: string;
  readonly node_id?: string;
  readonly edge_id?: string;
  readonly related_node_ids?: readonly string[];
  readonly related_edge_ids?: readonly string[];
  readonly source_span?: Partial<SourceSpan>;
  readonly suggested_fix?: string;
  readonly related_spans?: readonly Partial<SourceSpan>[];
}

/**
 * How a finding's place was found, from the surest to the last resort: its own text, the ids it gives, the names it
 * speaks of, the section of the file that its rule is about.
 */
export type Anchor = "span" | "excerpt" | "edge" | "node" | "named" | "section" | "file";

export interface PlacedFinding {
  readonly finding: PlatformFinding;
  /** The text it is about, and where it is shown: of a whole element of many lines that is its name. */
  readonly span: Span;
  readonly shown: Span;
  readonly anchor: Anchor;
  /** The element it is about, if it is in the document. */
  readonly element?: ElementRef;
  readonly related: readonly { readonly message: string; readonly span: Span }[];
}
