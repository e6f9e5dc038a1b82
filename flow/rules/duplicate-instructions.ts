import type { Rule } from "./rule";

/** Short sentences repeat by nature. */
const MIN_LENGTH = 40;

export const duplicateInstructions: Rule = {
  code: "duplicate-instructions",
  severity: "info",
  title: "Two nodes have the same instructions",
  groupBy(node) {
    const text = node.instructions;
    if (text === undefined || text.length < MIN_LENGTH) return undefined;
    const span = node.fields.get("instructions")?.value?.span;
    // One text shared through an alias is written once.
    if (span && /^[*&]/.test(node.text.slice(span.start, span.start + 1))) return undefined;
    return text.replace(/\s+/g, " ").trim();
  },
  checkGroup([first, ...others], report) {
    for (const node of others) {
      const pair = node.fields.get("instructions");
      if (!first || !pair) continue;
      report(node, {
        message: `"${node.id}" has the same instructions as "${first.id}". Lead both ways to one node, or tell them apart.`,
        span: pair.key.span,
        data: { first: first.id },
      });
    }
  },
};
