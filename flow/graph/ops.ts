/**
 * The ten graph operations. The platform only documents `upsert_node` and its `node` object; the other shapes are our
 * interpretation of the names (docs/assumptions.md), and this file is the only place that defines them.
 */
import type { GraphEdge, GraphNode, GraphOutput, GraphVariable } from "./graph";

/**
 * A place in the file that's sent with a node, so that the platform's findings can refer to it: 1-based, UTF-16, end
 * exclusive.
 */
export interface SourceSpan {
  readonly start_line: number;
  readonly start_col: number;
  readonly end_line: number;
  readonly end_col: number;
  readonly raw_text_excerpt?: string;
}

export type GraphOp =
  | { readonly op: "upsert_node"; readonly node: GraphNode & { readonly source_span?: SourceSpan } }
  | { readonly op: "remove_node"; readonly node_id: string }
  /** A removed field is null. */
  | { readonly op: "update_node_fields"; readonly node_id: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly op: "add_edge"; readonly edge: GraphEdge }
  | { readonly op: "remove_edge"; readonly edge_id: string }
  | { readonly op: "set_entry_node"; readonly node_id: string | null }
  | { readonly op: "upsert_context_variable"; readonly variable: GraphVariable }
  | { readonly op: "remove_context_variable"; readonly name: string }
  | { readonly op: "set_persona"; readonly persona: string | null }
  | { readonly op: "set_component_outputs"; readonly outputs: readonly GraphOutput[] };

/** The largest batch that the platform accepts. */
export const MAX_OPS_PER_BATCH = 200;
