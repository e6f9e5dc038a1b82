import { isNode } from "../document";
import { nodeType } from "../fields";
import { pairOf } from "../values";
import { removePair } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const emptyInstructions: Rule = {
  code: "empty-instructions",
  severity: "warning",
  title: "Empty instructions",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    const pair = pairOf(block.value, "instructions");
    if (!pair) return;
    const { value } = pair;
    if (value && (value.kind !== "scalar" || (value.value !== null && /\S/.test(String(value.value))))) return;
    report({
      message: `\`instructions\` of "${block.id}" is empty. Write what the assistant says or does${isNeeded(block.type) ? "" : ", or remove the field"}.`,
      span: pair.key.span,
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node) || node.value?.kind !== "map" || isNeeded(node.type)) return [];
    const pair = node.fields.get("instructions");
    if (!pair || node.value.pairs.length < 2) return [];
    return [{ title: "Remove `instructions`", edits: [removePair(document, node, node.value, pair)], preferred: true }];
  },
};

function isNeeded(type: string | undefined): boolean {
  return nodeType(type)?.fields.some((field) => field.name === "instructions" && field.required) ?? false;
}
