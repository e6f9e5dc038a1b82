import { isNode } from "../document";
import { pairOf, textOf } from "../values";
import { typoOf } from "../wording";
import { addEdge } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const toolWithoutErrorEdge: Rule = {
  code: "tool-without-error-edge",
  severity: "warning",
  title: "Tool without an error edge",
  checkBlock(block, report) {
    if (!isNode(block) || block.type !== "tool" || block.edges.length === 0) return;
    const handled = block.edges.some((edge) => {
      const event = textOf(pairOf(edge.value, "on")?.value);
      // Of the events, only `timeout` is known not to mean a failure; an edge that can't be read may handle it. A typo
      // of `error` doesn't.
      const isSlip = event !== undefined && typoOf(event, ["error", "timeout"]) !== undefined;
      return !edge.value || (pairOf(edge.value, "on") !== undefined && event !== "timeout" && !isSlip);
    });
    if (handled) return;
    report({
      message: `"${block.id}" has no edge for when its tool fails. Add an edge with \`on: error\`.`,
      span: block.edgesPair?.key.span ?? block.keySpan,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const targets = [
      ...document.nodes.filter((each) => each.type === "transfer"),
      ...document.nodes.filter((each) => each.type === "end"),
    ];
    return targets.slice(0, 3).flatMap(({ id }) => {
      const edit = addEdge(document, node, [
        ["to", id],
        ["on", "error"],
      ]);
      return fixWith(`Add error edge to "${id}"`, edit);
    });
  },
};
