import { isNode } from "../document";
import { nodeType } from "../fields";
import { addEdge, eolOf } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";

export const deadEnd: Rule = {
  code: "dead-end",
  severity: "warning",
  title: "Node without outgoing edges",
  checkBlock(block, report) {
    // An unknown field may lead somewhere.
    if (!isNode(block) || block.edges.length > 0 || block.named.length > 0) return;
    const type = nodeType(block.type);
    if (!type || type.terminal) return;
    const written = block.edgesPair?.value;
    // `wrong-type` reports a value that isn't a list.
    if (written && written.kind !== "list" && !(written.kind === "scalar" && written.value === null)) return;
    report({
      message: `"${block.id}" has no outgoing edges, so the conversation gets stuck. Add an edge, or make it an end node.`,
      span: block.keySpan,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const fixes: Fix[] = [];
    for (const target of document.nodes.filter((each) => nodeType(each.type)?.terminal).slice(0, 3)) {
      const title = `Add edge to "${target.id}"`;
      const { edgesPair } = node;
      if (edgesPair && edgesPair.value?.kind !== "list") {
        const base = document.startOf(node);
        const indent = " ".repeat(document.positionAt(base + edgesPair.key.span.start).character + 2);
        const flow = node.value?.kind === "map" && node.value.flow;
        const text = flow ? `edges: [{to: ${target.id}}]` : `edges:${eolOf(document)}${indent}- to: ${target.id}`;
        const colon = /^\s*:[ \t]*/.exec(node.text.slice(edgesPair.key.span.end))?.[0].trimEnd().length ?? 0;
        const end = base + Math.max(edgesPair.key.span.end + colon, edgesPair.value?.span.end ?? 0);
        fixes.push({ title, edits: [{ start: base + edgesPair.key.span.start, end, text }] });
      } else {
        const edit = addEdge(document, node, [["to", target.id]]);
        if (edit) fixes.push({ title, edits: [edit] });
      }
    }
    return fixes;
  },
};
