/** The effect of a save: its operations, batches, and summary. */

import { addTo } from "../collections";
import type { FlowDocument } from "../document";
import { locate, type Place } from "../locate";
import { type DiffOptions, diff, type PlannedOp } from "./diff";
import { type ElementRef, edgesBySource, type Graph, type GraphNode } from "./graph";
import { MAX_OPS_PER_BATCH, type SourceSpan } from "./ops";

export interface Plan {
  readonly ops: readonly PlannedOp[];
  /** The operations in batches that the platform accepts; each leaves a valid graph. */
  readonly batches: readonly (readonly PlannedOp[])[];
  readonly renames: readonly Rename[];
  readonly summary: PlanSummary;
}

/** A node with a new ID. On the wire it's a new node and a removal. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface PlanSummary {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Nodes that are removed, not renamed. */
  readonly removedNodes: readonly string[];
  /** The share of previous nodes that are removed, 0 to 1. */
  readonly removedShare: number;
  /** One line: `2 nodes added, 1 edge removed`. */
  readonly text: string;
}

export function plan(from: Graph, to: Graph, options: DiffOptions = {}): Plan {
  const ops = diff(from, to, options);
  const batches: PlannedOp[][] = [];
  for (let i = 0; i < ops.length; i += MAX_OPS_PER_BATCH) batches.push(ops.slice(i, i + MAX_OPS_PER_BATCH));
  const renames = ops.length === 0 ? [] : findRenames(from, to);
  return { ops, batches, renames, summary: summarize(from, to, ops, renames) };
}

/** Where to show an operation of a plan; a removed element is shown at its parent. */
export function placeOfOp(document: FlowDocument, at: ElementRef): Place | undefined {
  const found = locate(document, at);
  if (found) return found;
  if (at.kind === "edge") return placeOfOp(document, { kind: "node", id: at.node });
  const section = at.kind === "node" ? "nodes" : at.kind === "variable" ? "context_variables" : undefined;
  const holder = section && document.top(section);
  if (!holder) return undefined;
  const start = document.startOf(holder);
  const name = { start: start + holder.keySpan.start, end: start + holder.keySpan.end };
  return { span: name, name };
}

/** The place of a node as the platform receives it: 1-based lines and UTF-16 columns. */
export function sourceSpanOf(document: FlowDocument, nodeId: string): SourceSpan | undefined {
  const place = locate(document, { kind: "node", id: nodeId });
  if (!place) return undefined;
  const text = document.slice(place.span).trimEnd();
  const start = document.positionAt(place.span.start);
  const end = document.positionAt(place.span.start + text.length);
  return {
    start_line: start.line + 1,
    start_col: start.character + 1,
    end_line: end.line + 1,
    end_col: end.character + 1,
    raw_text_excerpt: text.slice(0, 200),
  };
}

/**
 * The operation that a validation error refers to, and its element. `["body", "ops", 3, "node", "type"]` and the form
 * with the union's tag, `["body", "ops", 3, "upsert_node", "node", "type"]`, mean the same.
 */
export function opAtLoc(
  loc: readonly (string | number)[],
  batch: readonly PlannedOp[],
): { readonly index: number; readonly op: PlannedOp; readonly at: ElementRef } | undefined {
  const ops = loc.indexOf("ops");
  const index = Number(loc[ops + 1]);
  const op = ops < 0 || loc[ops + 1] === "" ? undefined : batch[index];
  if (!op) return undefined;
  const rest = loc.slice(ops + 2);
  // Tags are the value of `op` or the name of its schema; no part of an operation has such a name.
  if (typeof rest[0] === "string" && /^(.*Op|[a-z]+_.*)$/.test(rest[0]) && !(rest[0] in op.op)) rest.shift();
  return { index, op, at: partOfOp(op, rest) };
}

function partOfOp({ op, at }: PlannedOp, path: readonly (string | number)[]): ElementRef {
  const [part, field, inner] = path;
  if (op.op === "set_component_outputs" && part === "outputs" && field !== undefined && Number.isInteger(Number(field)))
    return { kind: "output", index: Number(field), ...(typeof inner === "string" ? { field: inner } : {}) };
  const holds = part === "node" || part === "edge" || part === "variable" || part === "fields";
  if (!holds || typeof field !== "string" || at.kind === "top" || at.kind === "output") return at;
  // In the file, the target of an edge is called `to`, and its source is the node that contains it.
  if (at.kind === "edge") return field === "source" ? at : { ...at, field: field === "target" ? "to" : field };
  return { ...at, field };
}

function summarize(from: Graph, to: Graph, ops: readonly PlannedOp[], renames: readonly Rename[]): PlanSummary {
  const counts = new Map<string, number>();
  const count = (what: string, how: string) => counts.set(`${what} ${how}`, (counts.get(`${what} ${how}`) ?? 0) + 1);
  const renamedFrom = new Set(renames.map((rename) => rename.from));
  const renamedTo = new Set(renames.map((rename) => rename.to));
  for (const { op } of ops) {
    if (op.op === "upsert_node") {
      if (!renamedTo.has(op.node.id)) count("node", from.nodes.has(op.node.id) ? "changed" : "added");
    } else if (op.op === "remove_node") count("node", renamedFrom.has(op.node_id) ? "renamed" : "removed");
    else if (op.op === "update_node_fields") count("node", "changed");
    else if (op.op === "add_edge") count("edge", from.edges.has(op.edge.id) ? "changed" : "added");
    else if (op.op === "remove_edge") {
      if (!to.edges.has(op.edge_id)) count("edge", "removed");
    } else if (op.op === "upsert_context_variable")
      count("variable", from.variables.has(op.variable.name) ? "changed" : "added");
    else if (op.op === "remove_context_variable") count("variable", "removed");
    else if (op.op === "set_entry_node") count("entry", "changed");
    else if (op.op === "set_persona") count("persona", "changed");
    else count("outputs", "changed");
  }
  const total = (how: string) =>
    [...counts].reduce((sum, [key, value]) => (key.endsWith(` ${how}`) ? sum + value : sum), 0);
  const removedNodes = [...from.nodes.keys()].filter((id) => !to.nodes.has(id) && !renamedFrom.has(id));
  return {
    added: total("added"),
    changed: total("changed") + total("renamed"),
    removed: total("removed"),
    removedNodes,
    removedShare: from.nodes.size === 0 ? 0 : removedNodes.length / from.nodes.size,
    text:
      [...counts]
        .sort(removedNodesFirst)
        .map(([key, value]) => countText(key, value))
        .join(", ") || "nothing to do",
  };
}

/** The operations remove nodes last, but they matter most. */
function removedNodesFirst([one]: [string, number], [other]: [string, number]): number {
  return Number(other === "node removed") - Number(one === "node removed");
}

function countText(key: string, value: number): string {
  const [what, how] = key.split(" ") as [string, string];
  if (what === "entry" || what === "persona" || what === "outputs") return `${what} ${how}`;
  return `${value} ${what}${value === 1 ? "" : "s"} ${how}`;
}

/**
 * A removed and an added node are one renamed node if their content is equal, or if they have the same type and
 * neighbors; in both cases only if no other pair matches.
 */
function findRenames(from: Graph, to: Graph): Rename[] {
  const gone = [...from.nodes.values()].filter((node) => !to.nodes.has(node.id));
  const come = [...to.nodes.values()].filter((node) => !from.nodes.has(node.id));
  if (gone.length === 0 || come.length === 0) return [];
  const renames: Rename[] = [];
  const match = (keyBefore: (node: GraphNode) => string, keyAfter: (node: GraphNode) => string) => {
    const after = uniqueBy(come, keyAfter);
    for (const [key, node] of uniqueBy(gone, keyBefore)) {
      const other = key === "" ? undefined : after.get(key);
      if (!other) continue;
      renames.push({ from: node.id, to: other.id });
      gone.splice(gone.indexOf(node), 1);
      come.splice(come.indexOf(other), 1);
    }
  };
  match(contentKey, contentKey);
  const neighborsBefore = neighborKeys(from);
  const neighborsAfter = neighborKeys(to);
  match(neighborsBefore, neighborsAfter);
  return renames;
}

function uniqueBy(nodes: readonly GraphNode[], keyOf: (node: GraphNode) => string): Map<string, GraphNode> {
  const found = new Map<string, GraphNode | undefined>();
  for (const node of nodes) {
    const key = keyOf(node);
    found.set(key, found.has(key) ? undefined : node);
  }
  for (const [key, node] of found) if (!node) found.delete(key);
  return found as Map<string, GraphNode>;
}

function contentKey(node: GraphNode): string {
  const fields = Object.entries(node).filter(
    ([name, value]) => name !== "id" && name !== "source_span" && value !== null,
  );
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function neighborKeys(graph: Graph): (node: GraphNode) => string {
  const outgoing = edgesBySource(graph);
  const incoming = new Map<string, string[]>();
  for (const edge of graph.edges.values()) {
    addTo(incoming, edge.target, edge.source);
  }
  return (node) => {
    const next = (outgoing.get(node.id) ?? []).map((edge) => (edge.target === node.id ? "" : edge.target));
    const previous = (incoming.get(node.id) ?? []).filter((id) => id !== node.id).sort();
    return next.length + previous.length === 0 ? "" : JSON.stringify([node.type, next, previous]);
  };
}
