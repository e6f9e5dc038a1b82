import { isNode } from "../document";
import { nodeType } from "../fields";
import { addEdge, endNodes } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const missingDefault: Rule = {
  code: "missing-default",
  severity: "warning",
  title: "Missing default edge",
  checkBlock(block, report) {
    if (!isNode(block) || block.edges.length === 0) return;
    const type = nodeType(block.type);
    // An edge that can't be read may be the default, and an unknown field may lead somewhere.
    if (!type || block.named.length > 0 || type.terminal || block.edges.some((edge) => edge.isDefault || !edge.value))
      return;
    report({
      message: `The conversation gets stuck at "${block.id}" if no condition is true. Add a last edge without \`when\`.`,
      span: block.edgesPair?.key.span ?? block.keySpan,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    return endNodes(document).flatMap(({ id }) =>
      fixWith(`Add default edge to "${id}"`, addEdge(document, node, [["to", id]])),
    );
  },
};
