import { type Rule, replaceWithData } from "./engine/rule";

/** Replaces a literal with the name in `data`. */
export const useName = replaceWithData(
  (data) => `Use "$${data}"`,
  (data) => `$${data}`,
);

/** Reported by `checkNames` (project/check-names.ts), because it needs the project file. */
export const foreignId: Rule = {
  code: "foreign-id",
  severity: "error",
  title: "ID of another environment",
  fixes: useName,
};
