/** The flow as a picture needs it: nodes and edges with their words, their findings, and what changed since the last sync. */
import {
  type EdgeModel,
  type FlowDocument,
  type Graph,
  type NodeEntry,
  nodeType,
  type Problem,
  pairOf,
  sameElement,
  textOf,
  topText,
} from "../../flow";
import type { GraphElement, GraphView, GraphViewEdge, GraphViewNode } from "../messages";
import { firstWords } from "./describe";

export function graphView(
  document: FlowDocument,
  version: number,
  problems: readonly Problem[],
  base: Graph | undefined,
): GraphView {
  const counts = countByNode(document, problems);
  const seen = new Set<string>();
  const own = document.nodes.filter((entry) => !seen.has(entry.id) && seen.add(entry.id));
  const nodes = own.map((entry) => nodeOf(entry, counts.get(entry.id), base));
  const edges = own.flatMap((entry) => entry.edges.flatMap((edge) => edgeOf(document, entry, edge, base) ?? []));
  return {
    version,
    entry: topText(document, "entry"),
    nodes: base ? [...nodes, ...removedNodes(base, seen)] : nodes,
    edges: base ? [...edges, ...removedEdges(base, edges, seen)] : edges,
    broken: document.problems.some((problem) => problem.code !== "duplicate-key"),
    compared: base !== undefined,
  };
}

/** The edge or node that is written at an offset. */
export function elementAt(document: FlowDocument, offset: number): GraphElement | undefined {
  const entry = document.entryAt(offset);
  if (entry?.section !== "nodes") return undefined;
  const node = entry as NodeEntry;
  const at = offset - document.startOf(entry);
  const edge = node.edges.find((candidate) => candidate.span.start <= at && at <= candidate.span.end);
  return edge ? { kind: "edge", node: node.id, id: edge.id } : { kind: "node", id: node.id };
}

interface Counts {
  errors: number;
  warnings: number;
  hints: number;
}

function countByNode(document: FlowDocument, problems: readonly Problem[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const problem of problems) {
    const entry = document.entryAt(problem.span.start);
    if (entry?.section !== "nodes") continue;
    const count = counts.get(entry.key) ?? { errors: 0, warnings: 0, hints: 0 };
    if (problem.severity === "error") count.errors++;
    else if (problem.severity === "warning") count.warnings++;
    else count.hints++;
    counts.set(entry.key, count);
  }
  return counts;
}

const none: Counts = { errors: 0, warnings: 0, hints: 0 };

function nodeOf(entry: NodeEntry, counts: Counts = none, base: Graph | undefined): GraphViewNode {
  const before = base?.nodes.get(entry.id);
  const text = firstWords(
    entry.instructions?.split("\n").find((line) => line.trim() !== ""),
    80,
  );
  const names = (kinds: readonly string[]) => [
    ...new Set(entry.refs.filter((ref) => kinds.includes(ref.kind)).map((ref) => ref.name)),
  ];
  return {
    id: entry.id,
    type: entry.type,
    name: entry.name,
    text: text === "" ? undefined : text,
    terminal: nodeType(entry.type)?.terminal ?? false,
    ...counts,
    sets: names(["collect", "save"]),
    reads: names(["template"]),
    change:
      base === undefined
        ? undefined
        : before === undefined
          ? "added"
          : sameElement(before, entry.wire)
            ? undefined
            : "changed",
  };
}

function edgeOf(
  document: FlowDocument,
  entry: NodeEntry,
  edge: EdgeModel,
  base: Graph | undefined,
): GraphViewEdge | undefined {
  if (edge.to === undefined || !edge.wire) return undefined;
  const before = base?.edges.get(edge.id);
  const text = (field: string) => textOf(pairOf(edge.value, field)?.value);
  const on = text("on");
  const when = text("when");
  return {
    id: edge.id,
    source: entry.id,
    target: edge.to,
    kind: on !== undefined ? "on" : when !== undefined ? "when" : "default",
    label: on ?? when ?? text("label"),
    dangling: document.node(edge.to) === undefined,
    change:
      base === undefined
        ? undefined
        : before === undefined
          ? "added"
          : sameElement(before, edge.wire)
            ? undefined
            : "changed",
  };
}

function removedNodes(base: Graph, kept: ReadonlySet<string>): GraphViewNode[] {
  return [...base.nodes.values()]
    .filter((node) => !kept.has(node.id))
    .map((node) => ({
      id: node.id,
      type: node.type,
      name: typeof node.name === "string" ? node.name : undefined,
      text: typeof node.instructions === "string" ? firstWords(node.instructions, 80) : undefined,
      terminal: nodeType(node.type)?.terminal ?? false,
      ...none,
      sets: [],
      reads: [],
      change: "removed",
    }));
}

function removedEdges(base: Graph, now: readonly GraphViewEdge[], nodes: ReadonlySet<string>): GraphViewEdge[] {
  const kept = new Set(now.map((edge) => edge.id));
  const there = (id: string) => nodes.has(id) || base.nodes.has(id);
  return [...base.edges.values()]
    .filter((edge) => !kept.has(edge.id) && there(edge.source))
    .map((edge) => ({
      id: edge.id,
      source: edge.source,
      target: edge.target,
      kind: edge.on !== undefined ? "on" : edge.when !== undefined ? "when" : "default",
      label: [edge.on, edge.when, edge.label].find((part): part is string => typeof part === "string"),
      dangling: !there(edge.target),
      change: "removed",
    }));
}
