import type { Rule } from "./engine/rule";

/** Reported by `batchProblem` (engine/workspace.ts), which knows the plan. */
export const batchNeedsChaining: Rule = {
  code: "batch-needs-chaining",
  severity: "info",
  title: "Change needs several batches",
};
