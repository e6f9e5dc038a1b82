import type { Rule } from "./engine/rule";

/** Reported by `checkNames` (project/check-names.ts), because it needs the project file. */
export const unknownName: Rule = {
  code: "unknown-name",
  severity: "error",
  title: "Unknown name",
  fixes: ({ span, data }) =>
    typeof data === "string"
      ? [{ title: `Replace with "$${data}"`, edits: [{ ...span, text: `$${data}` }], preferred: true }]
      : [],
};
