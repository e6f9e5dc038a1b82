import { isNode } from "../document";
import { pairOf } from "../values";
import { removePair } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";

export const onAndWhen: Rule = {
  code: "on-and-when",
  severity: "hint",
  title: "Edge with both `on` and `when`",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    for (const edge of block.edges) {
      const when = edge.isOnEvent ? pairOf(edge.value, "when") : undefined;
      const on = when && pairOf(edge.value, "on");
      if (!when || !on) continue;
      report({
        message:
          "This edge requires both its event and its condition. Keep only `on` or `when`, unless that's intended.",
        span: on.key.span,
        related: [{ message: "The condition is here.", span: when.key.span }],
        data: { edge: edge.index },
      });
    }
  },
  fixes({ span, data }, document) {
    const node = document.blockAt(span.start);
    const map = node && isNode(node) ? node.edges[(data as { edge: number }).edge]?.value : undefined;
    if (!node || !map) return [];
    return ["when", "on"].flatMap((field): Fix[] => {
      const pair = pairOf(map, field);
      return pair ? [{ title: `Remove \`${field}\``, edits: [removePair(document, node, map, pair)] }] : [];
    });
  },
};
