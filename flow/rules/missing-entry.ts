import { textOf } from "../values";
import { eolOf, lineStart } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const missingEntry: Rule = {
  code: "missing-entry",
  severity: "error",
  title: "Missing entry node",
  checkGraph(flow, report) {
    const first = flow.nodes[0];
    const block = flow.document.top("entry");
    // `wrong-type` reports an entry that isn't a scalar, and one with syntax errors may be correct.
    if (
      !first ||
      flow.document.mayHold("entry") ||
      (block?.value && (block.value.kind !== "scalar" || textOf(block.value)))
    )
      return;
    const message = `The flow has no entry node. Set \`entry\` to the ID of a node, such as "${first.id}".`;
    report({ message, at: block ? { top: "entry" } : { top: "nodes" } });
  },
  fixes(_, document) {
    const called = new Set(document.nodes.flatMap((node) => node.edges.map((edge) => edge.to)));
    const roots = document.nodes.filter((node) => !called.has(node.id));
    const id = (roots[0] ?? document.nodes[0])?.id;
    if (!id) return [];
    const title = `Set \`entry\` to "${id}"`;
    const preferred = roots.length === 1;
    const block = document.top("entry");
    if (block) {
      const span = document.absolute(block, block.value?.span ?? { start: block.keySpan.end, end: block.keySpan.end });
      const colon = /^\s*:/.exec(block.text.slice(block.keySpan.end))?.[0].length ?? 0;
      if (block.value) return [{ title, edits: [{ ...span, text: id }], preferred }];
      const at = span.start + colon;
      return [{ title, edits: [{ start: at, end: at, text: ` ${id}` }], preferred }];
    }
    const before = document.tops.find((top) => top.key === "context_variables" || top.key === "nodes");
    if (!before) return [];
    const at = lineStart(document, document.startOf(before));
    return [{ title, edits: [{ start: at, end: at, text: `entry: ${id}${eolOf(document)}` }], preferred }];
  },
};
