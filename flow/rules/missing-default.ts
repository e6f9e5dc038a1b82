import { nodeType } from "../fields";
import { addEdge } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

export const missingDefault: Rule = {
  code: "missing-default",
  severity: "warning",
  title: "A node has no edge for when no condition holds",
  checkEntry(entry, report) {
    if (!isNode(entry) || entry.edges.length === 0) return;
    const type = nodeType(entry.type);
    // An edge that cannot be read may be the default, and a field that the editor does not know may lead on.
    if (!type || entry.named.length > 0 || type.terminal || entry.edges.some((edge) => edge.isDefault || !edge.value))
      return;
    report({
      message: `Where no condition holds at "${entry.id}", the conversation gets stuck. Add a last edge without "when".`,
      span: entry.edgesPair?.key.span ?? entry.keySpan,
    });
  },
  fixes(problem, document) {
    const node = document.entryAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const targets = document.nodes.filter((each) => nodeType(each.type)?.terminal).slice(0, 3);
    return targets.flatMap(({ id }) => {
      const edit = addEdge(document, node, [["to", id]]);
      return edit ? { title: `Add a default edge to "${id}"`, edits: [edit] } : [];
    });
  },
};
