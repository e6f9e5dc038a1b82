/** The data of the graph page: nodes and edges with their text, their findings, and the changes since the last sync. */

import {
  type EdgeModel,
  type FlowDocument,
  type Graph,
  type GraphEdge,
  type GraphNode,
  graphOf,
  type NodeBlock,
  nodeType,
  type Problem,
  pairOf,
  textOf,
  topText,
} from "../../../flow";
import { type Change, changesBetween, type Mark, overlayOf } from "../../../flow/review";
import type { KnownTools } from "../../../flow/tools";
import type { GraphElement, GraphView, GraphViewEdge, GraphViewNode } from "../../messages";
import { firstWords } from "../hover/describe";

/** The version that a flow is compared with, and the differences. */
export interface Compared {
  readonly from: Graph;
  readonly to: Graph;
  readonly changes: readonly Change[];
}

export function compareGraphs(from: Graph, document: FlowDocument): Compared {
  const to = graphOf(document);
  return { from, to, changes: changesBetween(from, to) };
}

export function graphView(
  document: FlowDocument,
  version: number,
  problems: readonly Problem[],
  compared: Compared | undefined,
  tools?: KnownTools,
): GraphView {
  const counts = countByNode(document, problems);
  const seen = new Set<string>();
  const own = document.nodes.filter((block) => !seen.has(block.id) && seen.add(block.id));
  const { nodes, edges } = compared
    ? overlayOf(compared.from, compared.to, compared.changes)
    : { nodes: [], edges: [] };
  const nodeMarks = new Map(nodes.map(({ node, mark }) => [node.id, mark]));
  const edgeMarks = new Map(edges.filter(({ mark }) => mark !== "removed").map(({ edge, mark }) => [edge.id, mark]));
  const isThere = (id: string) => seen.has(id) || compared?.from.nodes.has(id) === true;
  const gone = edges.filter(({ edge, mark }) => mark === "removed" && isThere(edge.source));
  return {
    version,
    entry: topText(document, "entry"),
    nodes: [
      ...own.map((block) => nodeOf(block, tools, counts.get(block.id), changeOf(nodeMarks.get(block.id)))),
      ...nodes.filter(({ mark }) => mark === "removed").map(({ node }) => removedNode(node)),
    ],
    edges: [
      ...own.flatMap((block) =>
        block.edges.flatMap((edge) => edgeOf(document, block, edge, changeOf(edgeMarks.get(edge.id))) ?? []),
      ),
      ...gone.map(({ edge }) => removedEdge(edge, !isThere(edge.target))),
    ],
    broken: document.problems.some((problem) => problem.code !== "duplicate-key"),
    compared: compared !== undefined,
  };
}

function changeOf(mark: Mark | undefined): GraphViewNode["change"] {
  return mark === "same" ? undefined : mark;
}

/** The edge or node at an offset. The indentation and the dash of a line belong to its text. */
export function elementAt(document: FlowDocument, offset: number): GraphElement | undefined {
  const block = document.blockAt(offset);
  if (block?.section !== "nodes") return undefined;
  const node = block as NodeBlock;
  const at = offset - document.startOf(block);
  const line = block.text.slice(block.text.lastIndexOf("\n", at - 1) + 1);
  const content = block.text.length - line.length + (/^[ \t]*(?:-[ \t]+)?/.exec(line)?.[0].length ?? 0);
  const place = Math.max(at, content);
  const edge = node.edges.find((candidate) => candidate.span.start <= place && place <= candidate.span.end);
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
    const block = document.blockAt(problem.span.start);
    if (block?.section !== "nodes") continue;
    const count = counts.get(block.key) ?? { errors: 0, warnings: 0, hints: 0 };
    if (problem.severity === "error") count.errors++;
    else if (problem.severity === "warning") count.warnings++;
    else count.hints++;
    counts.set(block.key, count);
  }
  return counts;
}

const none: Counts = { errors: 0, warnings: 0, hints: 0 };

function nodeOf(
  block: NodeBlock,
  tools: KnownTools | undefined,
  counts: Counts = none,
  change: GraphViewNode["change"],
): GraphViewNode {
  const text = firstWords(
    block.instructions?.split("\n").find((line) => line.trim() !== ""),
    80,
  );
  const names = (kinds: readonly string[]) => [
    ...new Set(block.refs.filter((ref) => kinds.includes(ref.kind)).map((ref) => ref.name)),
  ];
  return {
    id: block.id,
    type: block.type,
    name: block.name,
    tool: firstWords(tools?.calledBy(block)?.name) || undefined,
    text: text === "" ? undefined : text,
    terminal: nodeType(block.type)?.terminal ?? false,
    ...counts,
    sets: names(["collect", "save"]),
    reads: names(["template"]),
    change,
  };
}

function edgeOf(
  document: FlowDocument,
  block: NodeBlock,
  edge: EdgeModel,
  change: GraphViewEdge["change"],
): GraphViewEdge | undefined {
  if (edge.to === undefined || !edge.wire) return undefined;
  const text = (field: string) => textOf(pairOf(edge.value, field)?.value);
  const on = text("on");
  const when = text("when");
  return {
    id: edge.id,
    source: block.id,
    target: edge.to,
    kind: on !== undefined ? "on" : when !== undefined ? "when" : "default",
    label: on ?? when ?? text("label"),
    dangling: document.node(edge.to) === undefined,
    change,
  };
}

function removedNode(node: GraphNode): GraphViewNode {
  return {
    id: node.id,
    type: node.type,
    name: typeof node.name === "string" ? node.name : undefined,
    tool: undefined,
    text: typeof node.instructions === "string" ? firstWords(node.instructions, 80) : undefined,
    terminal: nodeType(node.type)?.terminal ?? false,
    ...none,
    sets: [],
    reads: [],
    change: "removed",
  };
}

function removedEdge(edge: GraphEdge, dangling: boolean): GraphViewEdge {
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    kind: edge.on !== undefined ? "on" : edge.when !== undefined ? "when" : "default",
    label: [edge.on, edge.when, edge.label].find((part): part is string => typeof part === "string"),
    dangling,
    change: "removed",
  };
}
