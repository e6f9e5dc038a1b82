import { isNode } from "../document";
import { removeEdge } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

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
  fixes({ span, data }, document) {
    const node = document.blockAt(span.start);
    if (!node || !isNode(node) || node.edges.length < 2) return [];
    return fixWith("Remove edge", removeEdge(document, span.start, (data as { edge: number }).edge));
  },
};
