/** Calls of a flow: the path that each took, as far as it can be inferred, and what many of them say together. */
export { readCall, type TracedCall } from "./call";
export { traceJson } from "./json";
export { type Replayed, replay } from "./replay";
export { type CallReport, CallTally, edgesTaken } from "./report";
export { type CallTrace, CallTracer, type TraceStep } from "./trace";
