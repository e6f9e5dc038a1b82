import { isNode } from "../document";
import { removeItem } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const selfLoopWithoutCondition: Rule = {
  code: "self-loop-without-condition",
  severity: "warning",
  title: "Unconditional edge to the same node",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    for (const edge of block.edges)
      if (edge.isDefault && edge.to === block.id)
        report({
          message: `"${block.id}" points to itself without a condition, so it can repeat forever. Add \`when\`, or point to another node.`,
          span: edge.toSpan ?? edge.span,
          data: { edge: edge.index },
        });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map" || node.edges.length < 2) return [];
    const edit = removeItem(document, node, node.value, node.edgesPair, (problem.data as { edge: number }).edge);
    return edit ? [{ title: "Remove edge", edits: [edit] }] : [];
  },
};
