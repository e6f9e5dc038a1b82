/** The face of `suite/`: test files with their flows, as the command line and the editor run them. */
export { filesBelow, shownPath } from "./find";
export { type LoadedSuite, Suite } from "./load";
export { type PolicyContext, type PolicyFlow, scopeOf, unmatched } from "./policy-flows";
export { problemsOfPolicy, unreadablePolicies } from "./policy-problems";
export type { CompanionProblem } from "./problem";
export { Reader } from "./reader";
export { KeptProblems, noFlowProblem, problemsOfFile, problemsOfTest, problemsOfText } from "./test-problems";
