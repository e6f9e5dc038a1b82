import type { Rule } from "./engine/rule";

/** Seen where comments are read: `unknownCodes` (ignore.ts) finds it, and the engine reports it. */
export const unknownIgnore: Rule = {
  code: "unknown-ignore",
  severity: "warning",
  title: "A flow-ignore comment names no rule",
  fixes({ span, data }) {
    return typeof data === "string"
      ? [{ title: `Change to "${data}"`, edits: [{ ...span, text: data }], preferred: true }]
      : [];
  },
};
