import { pairOf } from "../values";
import type { Rule } from "./rule";
import { isNode } from "./walk";

/** A page of text. Beyond it a model starts to lose single sentences, and so do people. */
export const MAX_INSTRUCTIONS = 4_000;

export const instructionsTooLong: Rule = {
  code: "instructions-too-long",
  severity: "info",
  title: "The instructions of a node are very long",
  checkEntry(entry, report) {
    if (!isNode(entry)) return;
    const length = entry.instructions?.length ?? 0;
    const pair = pairOf(entry.value, "instructions");
    if (!pair || length <= MAX_INSTRUCTIONS) return;
    report({
      message: `The instructions of "${entry.id}" have ${length} characters; above ${MAX_INSTRUCTIONS} single sentences get lost. Split the node in steps.`,
      span: pair.key.span,
    });
  },
};
