/** Interactive runs, shared by the debugger and the conversation page. */
export * from "./answers";
export * from "./breakpoints";
export * from "./conversation";
export * from "./drive";
export { type EdgeState, type Evaluated, edgeStates, evaluateIn, eventOf, filledIn, shown } from "./evaluate";
export * from "./places";
export * from "./repeat";
export * from "./run";
export * from "./save";
export * from "./script";
export * from "./ways";
