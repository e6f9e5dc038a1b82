/**
 * The flow graph as the platform stores it: plain data without places. `sameGraph` compares two graphs: the
 * order of nodes and variables has no meaning, but that of a node's edges has.
 */
import { addTo } from "../collections";

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

/**
 * Equality of graphs. Values compare as JSON. In a node, a variable, an edge, or an output, null counts as absent,
 * because on the wire null removes a field. `source_span` is a place in a file, not part of the node.
 */
export function sameGraph(a: Graph, b: Graph): boolean {
  return (
    a === b ||
    ((a.persona ?? undefined) === (b.persona ?? undefined) &&
      (a.entry ?? undefined) === (b.entry ?? undefined) &&
      sameMembers(a.variables, b.variables) &&
      sameMembers(a.nodes, b.nodes) &&
      sameEdges(a, b) &&
      sameOutputs(a.outputs, b.outputs))
  );
}

/** Whether two nodes, variables, edges, or outputs are equal. */
export function sameElement(a: object, b: object): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  const others = Object.keys(b);
  // Most elements have the same fields in the same order, and thousands are compared on each save.
  if (names.length === others.length && names.every((name, index) => name === others[index])) {
    for (const name of names) {
      const [x, y] = [get(a, name), get(b, name)];
      if (x !== y && !sameField(name, x, y)) return false;
    }
    return true;
  }
  return changedFields(a, b).length === 0;
}

/** The names of the fields in which two nodes differ. */
export function changedFields(a: object, b: object): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const field = (element: object, name: string) => (Object.hasOwn(element, name) ? get(element, name) : null);
  return [...names].filter((name) => !sameField(name, field(a, name), field(b, name)));
}

function sameField(name: string, a: unknown, b: unknown): boolean {
  return name === "source_span" || sameJson(a, b);
}

export function sameOutputs(a: Graph["outputs"], b: Graph["outputs"]): boolean {
  return (
    a === b ||
    (a.length === b.length &&
      a.every((output, i) => {
        const other = b[i];
        return isObject(output) && isObject(other) ? sameElement(output, other) : sameJson(output, other);
      }))
  );
}

/** The edges of each source, in their order. */
export function edgesBySource(graph: Graph): Map<string, GraphEdge[]> {
  const lists = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges.values()) {
    addTo(lists, edge.source, edge);
  }
  return lists;
}

/** Equality of two values as JSON: -0 is 0, NaN and infinities are null, undefined members are absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "number" && !Number.isFinite(a)) return sameJson(null, b);
  if (typeof b === "number" && !Number.isFinite(b)) return a === null;
  if (!isObject(a) || !isObject(b)) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  const keysA = Object.keys(a).filter((key) => get(a, key) !== undefined);
  const keysB = Object.keys(b).filter((key) => get(b, key) !== undefined);
  return (
    keysA.length === keysB.length &&
    keysA.every((key) => Object.hasOwn(b, key) && get(b, key) !== undefined && sameJson(get(a, key), get(b, key)))
  );
}

function sameMembers(a: ReadonlyMap<string, object>, b: ReadonlyMap<string, object>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (!other || !sameElement(value, other)) return false;
  }
  return true;
}

function sameEdges(a: Graph, b: Graph): boolean {
  if (a.edges === b.edges) return true;
  if (!sameMembers(a.edges, b.edges)) return false;
  const others = edgesBySource(b);
  for (const [source, list] of edgesBySource(a)) {
    const other = others.get(source);
    if (!other?.every((edge, index) => edge.id === list[index]?.id)) return false;
  }
  return true;
}

function get(element: object, key: string): unknown {
  return (element as Record<string, unknown>)[key];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A string without its case, Unicode form and extra white space. */
export function formOf(text: string): string {
  return text.normalize().trim().toLowerCase().replace(/\s+/g, " ");
}
