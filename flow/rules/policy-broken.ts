import type { Rule } from "./engine/rule";

/** Seen only together with a policy file: `FlowPolicies` (policy/check.ts) reports it, with the policy's own severity. */
export const policyBroken: Rule = {
  code: "policy-broken",
  severity: "error",
  title: "A path breaks a policy",
};
