/** The debug adapter, and the conversation of the Play page. Both control a run of `flow/debug/`. */
export { Play, type PlayFrom } from "./play";
export { FlowDebugSession } from "./session";
export { CannotStart, type DebugHost } from "./sources";
