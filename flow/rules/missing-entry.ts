import { textOf } from "../values";
import { eolOf, lineStart, putValue } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

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
      const written = { key: { span: block.keySpan }, value: block.value };
      return fixWith(title, putValue(document, block, written, id), preferred);
    }
    const before = document.tops.find((top) => top.key === "context_variables" || top.key === "nodes");
    if (!before) return [];
    const at = lineStart(document, document.startOf(before));
    return fixWith(title, { start: at, end: at, text: `entry: ${id}${eolOf(document)}` }, preferred);
  },
};
