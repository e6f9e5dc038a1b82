import type { Rule } from "./engine/rule";

/** Known only to who made the plan: `batchProblem` (workspace.ts) reports it. */
export const batchNeedsChaining: Rule = {
  code: "batch-needs-chaining",
  severity: "info",
  title: "The change is too large for one batch and is sent in several",
};
