import type { Rule } from "./engine/rule";

/** Reported by `FlowPolicies` (policy/check.ts), with the policy's own severity. */
export const policyBroken: Rule = {
  code: "policy-broken",
  severity: "error",
  title: "Broken policy",
};
