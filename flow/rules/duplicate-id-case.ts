import { renameNode } from "../edit/operations";
import { unused } from "../refactor/refactoring";
import { laterFix, type Rule } from "./engine/rule";

export const duplicateIdCase: Rule = {
  code: "duplicate-id-case",
  severity: "warning",
  title: "Node IDs that differ only in case",
  checkGraph(flow, report) {
    const first = new Int32Array(flow.symbols).fill(-1);
    flow.parts.forEach(({ foldedId, id: symbol }, node) => {
      const other = first[foldedId] as number;
      if (other < 0) first[foldedId] = node;
      else if (flow.parts[other]?.id !== symbol) {
        const id = flow.nodes[node]?.id ?? "";
        const otherId = flow.nodes[other]?.id ?? "";
        report({
          message: `"${id}" and "${otherId}" differ only in case, so they're easy to mix up. Rename one of them.`,
          at: { node },
          related: [{ message: `"${otherId}" is here.`, at: { node: other } }],
        });
      }
    });
  },
  fixes({ span }, document) {
    const node = document.blockAt(span.start);
    if (node?.section !== "nodes") return [];
    const taken = new Set(document.nodes.map(({ id }) => id.toLowerCase()));
    const id = unused(node.key.slice(0, 60), (other) => taken.has(other.toLowerCase()));
    return [laterFix(`Rename to "${id}"`, () => renameNode(document, node.key, id))];
  },
};
