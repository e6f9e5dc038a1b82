/** A separate bundle (`dist/client-debug.js`), loaded on first use because most windows never debug or play a flow. */
export { CannotStart, FlowDebugSession, Play } from "../../debug";
