import { isNode } from "../document";
import { nodeType, nodeTypes } from "../fields";
import { didYouMean, nearest } from "../wording";
import { type Rule, replaceWithData } from "./engine/rule";

export const nearMissType: Rule = {
  code: "near-miss-type",
  severity: "hint",
  title: "Possible typo in a node type",
  checkBlock(block, report) {
    if (!isNode(block) || block.type === undefined || nodeType(block.type) || !block.typeSpan) return;
    const near = nearest(
      block.type,
      nodeTypes.map((type) => type.name),
      true,
    );
    if (near === undefined) return;
    report({
      message: `Unknown node type "${block.type}". ${didYouMean(near)}`,
      span: block.typeSpan,
      data: near,
    });
  },
  fixes: replaceWithData(),
};
