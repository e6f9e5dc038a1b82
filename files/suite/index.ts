/** The entry point of `files/suite/`: test and policy files together with their flows. */

export { type CompanionProblem, problemsOfProject } from "./companion-problem";
export { DocumentCache } from "./document-cache";
export { type LoadedSuite, Suite } from "./load-suite";
export { type PolicyContext, type PolicyFlow, scopeOf, today, unmatched } from "./policy-flows";
export { problemsBeside, problemsOfPolicy, slipOf, unreadablePolicies } from "./policy-problems";
export { type FoundProject, Projects, pathIn } from "./projects";
export { KeptProblems, problemsOfFile, problemsOfTest, problemsWithoutRuns } from "./test-problems";
