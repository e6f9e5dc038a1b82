/** A bundle of its own (`dist/client-debug.js`), read when somebody debugs or plays: most windows never do. */
export { CannotStart, FlowDebugSession, Play } from "../../debug";
