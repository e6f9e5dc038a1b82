/**
 * A finding as the platform sends it (with field names as on the wire, all optional), and what it becomes here: a place
 * in the text and, if its fix can be trusted, edits.
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
 * How a finding's place was found, from certain to last resort: its own text, its IDs, the names it mentions, or the
 * section that its rule is about.
 */
export type Anchor = "span" | "excerpt" | "edge" | "node" | "named" | "section" | "file";

export interface PlacedFinding {
  readonly finding: PlatformFinding;
  /** The text it's about, and where it's shown: for a whole element of many lines, its name. */
  readonly span: Span;
  readonly shown: Span;
  readonly anchor: Anchor;
  /** The element it's about, if it's in the document. */
  readonly element?: ElementRef;
  readonly related: readonly { readonly message: string; readonly span: Span }[];
}
