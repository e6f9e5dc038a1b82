import type { Rule } from "./engine/rule";

/** Reported by `checkNames` (project/check-names.ts), because it needs the project file. */
export const foreignId: Rule = {
  code: "foreign-id",
  severity: "error",
  title: "ID of another environment",
  fixes: useName,
};

/** Replaces a literal with the name in `data`. */
export function useName({
  span,
  data,
}: Parameters<NonNullable<Rule["fixes"]>>[0]): ReturnType<NonNullable<Rule["fixes"]>> {
  return typeof data === "string"
    ? [{ title: `Use "$${data}"`, edits: [{ ...span, text: `$${data}` }], preferred: true }]
    : [];
}
