/**
 * The flow graph as the platform stores it: plain data without places. `sameGraph` (equal.ts) compares two graphs: the
 * order of nodes and variables has no meaning, but that of a node's edges has.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A node: its ID, its type, and every other field as written. */
export interface GraphNode {
  readonly id: string;
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** An edge: identity, ends, and every other field as written (`when`, `on`, `label`, …). */
export interface GraphEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly [field: string]: unknown;
}

export interface GraphVariable {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface GraphOutput {
  readonly name?: string;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

export interface Graph {
  readonly persona?: string;
  readonly entry?: string;
  readonly variables: ReadonlyMap<string, GraphVariable>;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** By edge ID, in order: among the edges of one source, the first match wins. */
  readonly edges: ReadonlyMap<string, GraphEdge>;
  readonly outputs: readonly GraphOutput[];
}

export const emptyGraph: Graph = { variables: new Map(), nodes: new Map(), edges: new Map(), outputs: [] };

/** A reference to an element of a flow. `locate` (locate.ts) finds its place in a document. */
export type ElementRef =
  | { readonly kind: "top"; readonly key: string }
  | { readonly kind: "node"; readonly id: string; readonly field?: string }
  | { readonly kind: "edge"; readonly node: string; readonly id: string; readonly field?: string }
  | { readonly kind: "variable"; readonly name: string; readonly field?: string }
  | { readonly kind: "output"; readonly index: number; readonly field?: string };
