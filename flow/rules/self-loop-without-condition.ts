import { removeItem } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

export const selfLoopWithoutCondition: Rule = {
  code: "self-loop-without-condition",
  severity: "warning",
  title: "A node leads back to itself without a condition",
  checkEntry(entry, report) {
    if (!isNode(entry)) return;
    for (const edge of entry.edges)
      if (edge.isDefault && edge.to === entry.id)
        report({
          message: `"${entry.id}" leads back to itself without a condition, so it can repeat for ever. Add "when", or lead on to another node.`,
          span: edge.toSpan ?? edge.span,
          data: { edge: edge.index },
        });
  },
  fixes(problem, document) {
    const node = document.entryAt(problem.span.start);
    if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map" || node.edges.length < 2) return [];
    const edit = removeItem(document, node, node.value, node.edgesPair, (problem.data as { edge: number }).edge);
    return edit ? [{ title: "Remove this edge", edits: [edit] }] : [];
  },
};
