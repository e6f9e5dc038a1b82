/** A graph prepared for rules: edges by node, reachable nodes, read variables. Created once per validation. */
import { addTo, type Graph, type GraphEdge, type GraphNode, nodeType, TEMPLATES } from "../../flow";
import type { Words } from "./spans";

export interface View {
  readonly graph: Graph;
  /** The outgoing edges of a node, in order. */
  out(id: string): readonly GraphEdge[];
  into(id: string): readonly GraphEdge[];
  readonly reached: ReadonlySet<string>;
  /** The first node of a type. */
  first(type: string): GraphNode | undefined;
}

export function viewOf(graph: Graph): View {
  const out = new Map<string, GraphEdge[]>();
  const into = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges.values()) {
    addTo(out, edge.source, edge);
    addTo(into, edge.target, edge);
  }
  const reached = new Set<string>();
  const waiting = graph.entry !== undefined && graph.nodes.has(graph.entry) ? [graph.entry] : [];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const edge of out.get(id) ?? []) if (graph.nodes.has(edge.target)) waiting.push(edge.target);
  }
  const firsts = new Map<unknown, GraphNode>([...graph.nodes.values()].reverse().map((node) => [node.type, node]));
  return {
    graph,
    out: (id) => out.get(id) ?? NONE,
    into: (id) => into.get(id) ?? NONE,
    reached,
    first: (type) => firsts.get(type),
  };
}

const NONE: readonly GraphEdge[] = [];

export function isTerminal(node: GraphNode): boolean {
  return nodeType(node.type)?.terminal === true;
}

/** Whether the edge is taken if no earlier condition holds. */
export function isDefault(edge: GraphEdge): boolean {
  return isBlank(edge.when) && isBlank(edge.on);
}

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** The variables that the text of a node, edge or output reads. */
export function readVariables(element: object): ReadonlySet<string> {
  const found = new Set<string>();
  visit(element, found);
  return found;
}

function visit(value: unknown, found: Set<string>): void {
  if (typeof value === "string") {
    if (value.includes("{{")) for (const match of value.matchAll(TEMPLATES)) found.add(match[1] as string);
  } else if (Array.isArray(value)) for (const item of value) visit(item, found);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) if (key !== "source_span") visit(item, found);
}

/** The rules of the platform. A rule checks the prepared graph and reports problems. */
export type PlatformRule = {
  readonly id: string;
  /** Blocking rules report errors that prevent compilation. */
  readonly severity: "blocking" | "error" | "warning" | "suggestion";
} & (
  | { readonly check: (view: View, report: (report: Report) => void) => void }
  /** Checks each node; what it returns is reported for the node. */
  | { readonly checkNode: (node: GraphNode, view: View) => Omit<Report, "node"> | undefined }
);

/** A report of a rule; validator.ts converts IDs to locations. */
export interface Report {
  readonly message: string;
  readonly node?: string;
  readonly edge?: string;
  readonly relatedNodes?: readonly string[];
  readonly relatedEdges?: readonly string[];
  /** The reported text, searched in the node's text (for an edge: in the text of its source). */
  readonly words?: Words;
  /** The 0-based index of the match. */
  readonly nth?: number;
  /** The replacement of the matched text; used only if there is a match. */
  readonly replacement?: string;
  /** The suggestion otherwise. */
  readonly fix?: string;
}
