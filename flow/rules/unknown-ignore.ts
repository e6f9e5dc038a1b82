import { type Rule, replaceWithData } from "./engine/rule";

/** Found by `unknownCodes` (engine/ignore.ts), and reported by the engine. */
export const unknownIgnore: Rule = {
  code: "unknown-ignore",
  severity: "warning",
  title: "Unknown rule in a flow-ignore comment",
  fixes: replaceWithData(),
};
