/** The debug adapter, and the conversation that the Play page shows: both drive a run of `flow/debug/`. */
export { Play, type PlayFrom } from "./play";
export { FlowDebugSession } from "./session";
export { CannotStart, type DebugWorld } from "./sources";
