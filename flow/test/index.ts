/** Public interface of tests of flows: test files, runs and coverage. */
export { type RecordedCall, testOfCall } from "./calls/call-test";
export { whyNoneAgrees } from "./calls/from-call";
export { type Cover, type Coverage, coverageOf, reachableFrom } from "./coverage";
export { checkExpectations, shownPath, shownValue } from "./expectations";
export { type Failure, type FailureKind, type FlowPlace, nodePlace } from "./failure";
export { testKeys } from "./file/fields";
export { addTests } from "./file/insert";
export { testSchema } from "./file/json-schema";
export { positionsIn, readTestFile } from "./file/test-file";
export type { FlowTest, TestFile, TestProblem, TestStep } from "./file/test-model";
export { stepsFor, stubsFor, testFixes } from "./fixes";
export { type GeneratedTest, generateTests, testThrough, withToolOutputs } from "./generate/generate";
export {
  callers,
  howNamed,
  nameIn,
  namesInTest,
  nodesAlong,
  type Renamed,
  renamedIn,
  type TestName,
  writtenIn,
} from "./names";
export { placesOf, runTest, type TestResult } from "./runner";
export { testLike } from "./same-run";
export {
  coverageOfRuns,
  type FileRun,
  type ReportedPlace,
  type ReportedTest,
  reportOf,
  runSuiteFile,
  runsOf,
  type SuiteFile,
  type SuiteWarning,
  type TestReport,
  testsWithCases,
  whyNoRuns,
} from "./suite";
export { edgesNamed, takeName, takeNameAmong } from "./takes";
export { type Trace, traceOf } from "./trace";
export { duplicateNames, type TestWarning, warningsOf } from "./warnings";
export { faultsIn, freshNames, inlineText, testBlocks, testFileWith, updatedExpectations, writeTests } from "./write";
