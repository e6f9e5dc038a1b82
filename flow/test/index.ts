/** Tests of flows: what a test file says, what its runs did, what they cover. */
export { type RecordedCall, testOfCall } from "./call-test";
export { type Cover, type Coverage, coverageOf, reachableFrom } from "./coverage";
export { checkExpectations, shownPath, shownValue } from "./expectations";
export { type Failure, type FailureKind, type FlowPlace, nodePlace } from "./failure";
export { type TestKey, testKeys } from "./fields";
export { stepsFor, stubsFor, testFixes } from "./fixes";
export { whyNoneAgrees } from "./from-call";
export { generateTests, testThrough } from "./generate";
export { addTests } from "./insert";
export { testSchema } from "./json-schema";
export { callers, nameIn, namesInTest, nodesAlong, type Renamed, renamedIn, type TestName } from "./names";
export { placesOf, runTest, type TestResult } from "./runner";
export { testLike } from "./same-run";
export {
  coverageOfRuns,
  type FileRun,
  type ReportedPlace,
  reportOf,
  runSuiteFile,
  runsOf,
  type SuiteFile,
  type SuiteWarning,
  type TestReport,
  testsWithCases,
} from "./suite";
export { edgesNamed, takeName } from "./takes";
export { positionsIn, readTestFile } from "./test-file";
export type { FlowTest, TestFile, TestProblem, TestStep } from "./test-model";
export { type Trace, traceOf } from "./trace";
export { type TestWarning, warningsOf } from "./warnings";
export { faultsIn, freshNames, inlineText, testBlocks, testFileWith, updatedExpectations, writeTests } from "./write";
