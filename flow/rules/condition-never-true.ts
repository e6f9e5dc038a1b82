import { isNode } from "../document";
import { narrowed } from "../run/possible";
import { allOf, isCertain, passedOver, readEdges, variablesIn } from "./analyses/over-enums";
import { conditionOf } from "./duplicate-edge";
import { removeEdge } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

/** `shadowed-edge` reports edges after a default edge and repeated conditions. */
export const conditionNeverTrue: Rule = {
  code: "condition-never-true",
  severity: "warning",
  title: "Condition that's never true",
  checkDeclared(block, declared, report) {
    if (!isNode(block) || block.edges.length === 0 || !block.refs.some((ref) => ref.edge !== undefined)) return;
    const edges = readEdges(block, declared);
    if (!edges) return;
    const all = allOf(
      edges.flatMap(({ condition }) => (condition ? variablesIn(condition) : [])),
      declared,
      "with unset",
    );
    let left: ReturnType<typeof passedOver> = all;
    const seen = new Set<string | undefined>();
    for (const { edge, condition } of edges) {
      if (!condition) return;
      const words = conditionOf(edge);
      const isTold = words !== undefined && seen.has(words);
      seen.add(words);
      if (!isCertain(condition, declared)) continue;
      if (!isTold && variablesIn(condition).length > 0 && !(left && narrowed(condition, left, true))) {
        const why = narrowed(condition, all, true)
          ? "the edges before it cover every case in which it would be true"
          : "it contradicts itself";
        report({
          message: `This edge is never taken because its condition is never true: ${why}. Change the condition, or remove the edge.`,
          span: edge.toSpan ?? edge.span,
          data: { edge: edge.index },
          unnecessary: true,
        });
        continue;
      }
      left = left && passedOver(condition, left);
    }
  },
  fixes({ span, data }, document) {
    const { edge } = data as { edge: number };
    return fixWith("Remove edge", removeEdge(document, span.start, edge));
  },
};
