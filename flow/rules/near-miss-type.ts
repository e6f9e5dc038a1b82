import { nodeType, nodeTypes } from "../fields";
import { nearest } from "../near";
import type { Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

export const nearMissType: Rule = {
  code: "near-miss-type",
  severity: "hint",
  title: "A node type is almost, but not quite, one the editor knows",
  checkBlock(block, report) {
    if (!isNode(block) || block.type === undefined || nodeType(block.type) || !block.typeSpan) return;
    const near = nearest(
      block.type,
      nodeTypes.map((type) => type.name),
      true,
    );
    if (near === undefined) return;
    report({
      message: `"${block.type}" is no node type the editor knows. Did you mean "${near}"?`,
      span: block.typeSpan,
      data: near,
    });
  },
  fixes({ span, data }) {
    if (typeof data !== "string") return [];
    return [{ title: `Change to "${data}"`, edits: [{ ...span, text: data }], preferred: true }];
  },
};
