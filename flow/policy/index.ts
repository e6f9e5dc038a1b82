/** Policies: what must hold on every path through a flow, and whether it does. */
export { checkPolicies, demandKey, FlowPolicies, type KeptVerdict, type PolicySource } from "./check";
export { breaksOnPath, exampleFailure, startsAndTargets } from "./examples";
export { demanded, exceptedWords, exceptionsFor, inForce, isAbout, isExpired } from "./exceptions";
export { policyKeys } from "./fields";
export { policiesFor } from "./flow-paths";
export { policySchema } from "./json-schema";
export {
  type Demand,
  MAX_POLICY_LENGTH,
  type Policy,
  type PolicyException,
  type PolicyFile,
  type PolicyProblem,
  readPolicyFile,
} from "./policy-file";
export { leadingTo, reachedFrom, routeBetween, routeByShape } from "./routes";
export type { BreakingPath } from "./search";
export type { Selector, SelectorKey } from "./selector";
export {
  Judge,
  judgeOf,
  matchedParts,
  type PolicyPart,
  partsOfPolicy,
  selectedNodes,
  type Verdict,
} from "./verdict";
export { unseenFor, verdictWords } from "./words";
