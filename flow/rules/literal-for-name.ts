import type { Rule } from "./engine/rule";
import { useName } from "./foreign-id";

/** Reported by `checkNames` (project/check-names.ts), because it needs the project file. */
export const literalForName: Rule = {
  code: "literal-for-name",
  severity: "info",
  title: "Literal with a name",
  fixes: useName,
};
