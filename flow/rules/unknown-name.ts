import { type Rule, replaceWithData } from "./engine/rule";

/** Reported by `checkNames` (project/check-names.ts), because it needs the project file. */
export const unknownName: Rule = {
  code: "unknown-name",
  severity: "error",
  title: "Unknown name",
  fixes: replaceWithData(
    (data) => `Replace with "$${data}"`,
    (data) => `$${data}`,
  ),
};
