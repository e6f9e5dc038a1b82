/** Policies: what must hold on every path through a flow, and whether it does. */
export * from "./check";
export { exampleFailure, startsAndTargets } from "./examples";
export * from "./exceptions";
export * from "./fields";
export { policiesFor } from "./flow-paths";
export type { Unseen } from "./inlined";
export * from "./json-schema";
export * from "./policy-file";
export * from "./routes";
export type { BreakingPath } from "./search";
export { type Selector, type SelectorKey, selectorKeys } from "./selector";
export * from "./verdict";
export * from "./words";
