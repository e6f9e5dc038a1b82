/** Compile results of a revision, and the places of their messages in a flow. */
export { CompileMessages, compileProblems } from "./messages";
export { messagePlaces } from "./place";
export { type CompileResult, type CompileState, compileResult, compileState, isFinal } from "./result";
