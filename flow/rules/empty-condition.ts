import { isNode } from "../document";
import { isNull, pairOf, textOf } from "../values";
import { removePair } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const emptyCondition: Rule = {
  code: "empty-condition",
  severity: "warning",
  title: "Edge has an empty condition",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    for (const edge of block.edges)
      for (const field of edge.isDefault ? [] : ["when", "on"]) {
        const pair = pairOf(edge.value, field);
        if (!pair || !(isNull(pair.value) || textOf(pair.value)?.trim() === "")) continue;
        const advice = field === "when" ? "Write a condition" : "Write an event, such as `error`";
        report({
          message: `\`${field}\` of the edge to "${edge.to ?? ""}" is empty. ${advice}, or remove \`${field}\` to make this the default edge.`,
          span: pair.key.span,
          data: { edge: edge.index, field },
        });
      }
  },
  fixes({ span, data }, document) {
    const node = document.blockAt(span.start);
    const { edge: index, field } = data as { edge: number; field: string };
    const map = node && isNode(node) ? node.edges[index]?.value : undefined;
    const pair = pairOf(map, field);
    return node && map && pair && map.pairs.length > 1
      ? [{ title: `Remove \`${field}\``, edits: [removePair(document, node, map, pair)] }]
      : [];
  },
};
