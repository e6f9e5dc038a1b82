import { type FlowDocument, isNode, type NodeBlock } from "../document";
import { nodeType } from "../fields";
import type { TextEdit } from "../text";
import { isNull, type Pair } from "../values";
import { addEdge, endNodes, eolOf } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const deadEnd: Rule = {
  code: "dead-end",
  severity: "warning",
  title: "Node without outgoing edges",
  checkBlock(block, report) {
    // An unknown field may lead somewhere.
    if (!isNode(block) || block.edges.length > 0 || block.named.length > 0) return;
    const type = nodeType(block.type);
    if (!type || type.terminal) return;
    const written = block.edgesPair?.value;
    // `wrong-type` reports a value that isn't a list.
    if (written?.kind !== "list" && !isNull(written)) return;
    report({
      message: `"${block.id}" has no outgoing edges, so the conversation gets stuck. Add an edge, or make it an end node.`,
      span: block.keySpan,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const { edgesPair } = node;
    return endNodes(document).flatMap(({ id }) => {
      const isEmpty = edgesPair !== undefined && edgesPair.value?.kind !== "list";
      const edit = isEmpty ? putEdge(document, node, edgesPair, id) : addEdge(document, node, [["to", id]]);
      return fixWith(`Add edge to "${id}"`, edit);
    });
  },
};

/** Replaces `edges` without a list. */
function putEdge(document: FlowDocument, node: NodeBlock, { key, value }: Pair, to: string): TextEdit {
  const base = document.startOf(node);
  const indent = " ".repeat(document.positionAt(base + key.span.start).character + 2);
  const flow = node.value?.kind === "map" && node.value.flow;
  const text = flow ? `edges: [{to: ${to}}]` : `edges:${eolOf(document)}${indent}- to: ${to}`;
  const colon = /^\s*:[ \t]*/.exec(node.text.slice(key.span.end))?.[0].trimEnd().length ?? 0;
  const end = base + Math.max(key.span.end + colon, value?.span.end ?? 0);
  return { start: base + key.span.start, end, text };
}
