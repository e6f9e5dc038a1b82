import { isNode } from "../document";
import { nodeType } from "../fields";
import { removePair } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const edgeFromTerminal: Rule = {
  code: "edge-from-terminal",
  severity: "warning",
  title: "Edge from a node that ends the conversation",
  checkBlock(block, report) {
    if (!isNode(block) || !block.edgesPair || block.edges.length === 0 || !nodeType(block.type)?.terminal) return;
    report({
      message: `The conversation ends at "${block.id}", so its edges are never taken. Remove them, or change the node's type.`,
      span: block.edgesPair.key.span,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map") return [];
    return [{ title: "Remove edges", edits: [removePair(document, node, node.value, node.edgesPair)] }];
  },
};
