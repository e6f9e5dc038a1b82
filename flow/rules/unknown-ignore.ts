import type { Rule } from "./engine/rule";

/** Found by `unknownCodes` (engine/ignore.ts), and reported by the engine. */
export const unknownIgnore: Rule = {
  code: "unknown-ignore",
  severity: "warning",
  title: "Unknown rule in a flow-ignore comment",
  fixes({ span, data }) {
    return typeof data === "string"
      ? [{ title: `Replace with "${data}"`, edits: [{ ...span, text: data }], preferred: true }]
      : [];
  },
};
