/** The debug adapter. */
export { FlowDebugSession } from "./session";
export type { DebugWorld } from "./sources";
