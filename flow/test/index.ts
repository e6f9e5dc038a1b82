/** Tests of flows: what a test file says, what its runs did, what they cover. */
export * from "./call-test";
export * from "./coverage";
export { checkExpectations, shownPath, shownValue } from "./expectations";
export * from "./failure";
export * from "./fields";
export { stepsFor, stubsFor, testFixes } from "./fixes";
export * from "./from-call";
export * from "./generate";
export * from "./insert";
export * from "./json-schema";
export * from "./names";
export * from "./redact";
export * from "./runner";
export * from "./suite";
export { edgesNamed, takeName } from "./takes";
export * from "./test-file";
export * from "./trace";
export * from "./write";
