import { isNode, type NodeBlock } from "../document";
import { edgeFields } from "../fields";
import type { EdgeModel } from "../model";
import { keyText, pairOf, textOf } from "../values";
import { conditionOf, duplicatesIn } from "./duplicate-edge";
import { lineStart, nextLineStart, removeEdge } from "./engine/edits";
import { type Fix, fixWith, type Rule } from "./engine/rule";

/** Edges with `on` are separate: a default edge before them doesn't shadow them. */
export const shadowedEdge: Rule = {
  code: "shadowed-edge",
  severity: "warning",
  title: "Shadowed edge",
  checkBlock(block, report) {
    if (!isNode(block) || !mayShadow(block.edges)) return;
    const duplicates = duplicatesIn(block.edges);
    const conditions = new Map<string, EdgeModel>();
    let fallback: EdgeModel | undefined;
    for (const edge of block.edges) {
      if (!edge.value || duplicates.has(edge)) continue;
      const event = edge.isOnEvent;
      const condition = conditionOf(edge);
      const same = condition === undefined ? undefined : conditions.get(condition);
      if (fallback && !event) {
        report({
          message: `This edge is never taken: edge ${fallback.index + 1} to "${fallback.to ?? ""}" has no condition and comes first. ${edge.isDefault ? "Keep one of the two." : "Move the default edge to the end."}`,
          span: edge.toSpan ?? edge.span,
          related: [{ message: "The default edge is here.", span: fallback.toSpan ?? fallback.span }],
          data: { edge: edge.index, fallback: fallback.index },
          unnecessary: true,
        });
      } else if (same) {
        report({
          message: `This edge is never taken: edge ${same.index + 1} to "${same.to ?? ""}" has the same condition and comes first. Change the condition, or remove the edge.`,
          span: edge.toSpan ?? edge.span,
          related: [{ message: "The edge with the same condition is here.", span: same.toSpan ?? same.span }],
          data: { edge: edge.index },
          unnecessary: true,
        });
      }
      if (edge.isDefault) fallback ??= mayHaveCondition(edge) ? undefined : edge;
      else if (condition !== undefined && !same) conditions.set(condition, edge);
    }
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const { edge, fallback } = problem.data as { edge: number; fallback?: number };
    const fixes: Fix[] = [];
    if (fallback !== undefined && !node.edges[edge]?.isDefault) {
      const edits = moveLast(document, node, fallback);
      if (edits) fixes.push({ title: "Move the default edge to the end", edits, preferred: true });
    }
    return [...fixes, ...fixWith("Remove edge", removeEdge(document, problem.span.start, edge))];
  },
};

const knownKeys = new Set(edgeFields.map((field) => field.name));

/** An unknown key, such as `if`, may be a condition. */
function mayHaveCondition(edge: EdgeModel): boolean {
  return edge.value?.pairs.some((pair) => !knownKeys.has(keyText(pair))) ?? true;
}

/** Quick check: most nodes have their default edge last and no repeated condition. */
function mayShadow(edges: readonly EdgeModel[]): boolean {
  if (edges.length > 16) return true;
  for (let later = 1; later < edges.length; later++)
    for (let index = 0; index < later; index++) {
      const before = edges[index] as EdgeModel;
      const edge = edges[later] as EdgeModel;
      if (before.isDefault || (!edge.isDefault && whenOf(before) === whenOf(edge))) return true;
    }
  return false;
}

function whenOf(edge: EdgeModel): string | undefined {
  return textOf(pairOf(edge.value, "when")?.value)?.trim();
}

function moveLast(
  document: Parameters<NonNullable<Rule["fixes"]>>[1],
  node: NodeBlock,
  index: number,
): Fix["edits"] | undefined {
  const list = node.edgesPair?.value;
  const item = node.edges[index];
  const last = node.edges.at(-1);
  if (list?.kind !== "list" || !item || !last || item === last) return undefined;
  const base = document.startOf(node);
  const slice = (edge: EdgeModel) =>
    document.slice({ start: base + edge.span.start, end: base + edge.span.end }).trimEnd();
  if (list.flow) {
    const edges = [...node.edges.filter((edge) => edge !== item), item];
    const between = { start: base + item.span.start, end: base + last.span.start + slice(last).length };
    return [{ ...between, text: edges.slice(index).map(slice).join(", ") }];
  }
  const next = node.edges[index + 1] as EdgeModel;
  const from = lineStart(document, base + item.span.start);
  const to = lineStart(document, base + next.span.start);
  const moved = document.slice({ start: from, end: to });
  if (!/^\s*-/.test(moved)) return undefined;
  const lastEnd = base + last.span.start + slice(last).length;
  const end = nextLineStart(document, lastEnd);
  const open = end === document.length && !/[\r\n]$/.test(document.slice({ start: end - 1, end }));
  const text = open ? `${/\r\n$/.test(moved) ? "\r\n" : "\n"}${moved.trimEnd()}` : moved;
  return [
    { start: from, end: to, text: "" },
    { start: end, end, text },
  ];
}
