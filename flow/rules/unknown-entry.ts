import { topText } from "../graph/graph-of";
import { unquoted } from "../model";
import { didYouMean, doesNotExist, isTypo, nearest } from "../wording";
import type { Rule } from "./engine/rule";

export const unknownEntry: Rule = {
  code: "unknown-entry",
  severity: "error",
  title: "Unknown entry node",
  checkGraph(flow, report) {
    const id = topText(flow.document, "entry");
    if (!id || flow.entry >= 0 || flow.nodes.length === 0 || flow.document.mayHold(id)) return;
    const near = nearest(id, ids(flow.nodes));
    const advice = near ? didYouMean(near) : "Use the ID of a node in this file.";
    report({
      message: `${doesNotExist("Node", id)} ${advice}`,
      at: { top: "entry" },
      data: near,
    });
  },
  fixes({ data }, document) {
    const block = document.top("entry");
    if (block?.value?.kind !== "scalar") return [];
    const span = document.absolute(block, unquoted(block.value));
    const first = document.nodes[0]?.id;
    const near = typeof data === "string" ? data : undefined;
    const isObvious = near !== undefined && isTypo(topText(document, "entry") ?? "", near);
    return [...new Set([near, first])].flatMap((id) =>
      id
        ? { title: `Set \`entry\` to "${id}"`, edits: [{ ...span, text: id }], preferred: isObvious && id === near }
        : [],
    );
  },
};

function* ids(nodes: readonly { readonly id: string }[]): Generator<string> {
  for (const node of nodes) yield node.id;
}
