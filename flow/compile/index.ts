/** Compile results of a revision, and the places of their messages in a flow. */
export { compileMessageSpan } from "./place";
export { type CompileResult, type CompileState, compileResult, compileState } from "./result";
