/** The messages between VS Code and the server about tests of flows. Like messages.ts, it imports types only. */
import type { Message, TextPosition, TextRange } from "./messages";

/** Client to server: the tests of files, as far as their texts can be read. */
export const ListTestsRequest: Message<
  { readonly files: readonly string[]; readonly unsaved: readonly UnsavedText[] },
  readonly TestFileView[]
> = { method: "assistantFlow/listTests" };

/** Client to server: run tests. They run in a thread of their own, so nothing else waits for them. */
export const RunTestsRequest: Message<RunTestsParams, TestRunView> = { method: "assistantFlow/runTests" };

/** Client to server: new tests of a flow, as text that goes into a file beside it. Nothing is written. */
export const NewTestsRequest: Message<NewTestsParams, NewTests | NoNewTests> = {
  method: "assistantFlow/newTests",
};

export interface NewTestsParams {
  readonly flow: string;
  readonly what: WantedTests;
  readonly unsaved: readonly UnsavedText[];
}

export type WantedTests =
  /** A shortest run, by a node where one is named. */
  | { readonly kind: "through"; readonly node?: string }
  /** A run that enters these nodes in this order, and goes on to an end. */
  | { readonly kind: "along"; readonly path: readonly string[] }
  /** A small set that takes every edge. */
  | { readonly kind: "all" }
  /** The run of a call, with stand-ins for what tells of the person. */
  | { readonly kind: "call"; readonly call: CallView };

/** What is certain of a call, and what must not be written. */
export interface CallView {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ended?: "end" | "transfer";
  readonly turns: readonly { readonly text: string; readonly user: string }[];
  /** What the platform knows the caller by. */
  readonly names: readonly string[];
  /** Whether the test has what the caller said, as far as the flow has the same words. */
  readonly says: boolean;
}

export interface NoNewTests {
  readonly problem: string;
  /** The test that does the same. */
  readonly same?: { readonly uri: string; readonly name: TextRange };
}

export interface NewTests {
  /** The test file. */
  readonly uri: string;
  /** There's no such file yet. */
  readonly isNew: boolean;
  readonly position: TextPosition;
  readonly text: string;
  /** The name of the first new test, in the text as it will be. */
  readonly name: TextRange;
  readonly count: number;
  /** Something isn't decided yet, and is marked. */
  readonly isDraft?: boolean;
}

export interface RunTestsParams {
  readonly files: readonly {
    readonly uri: string;
    /** Which of its tests, by their IDs; all of them where this is left out. */
    readonly tests?: readonly string[];
  }[];
  readonly unsaved: readonly UnsavedText[];
  /** Asks for the report that `assistant-flow test --coverage --format json` prints, too. */
  readonly report?: boolean;
}

/** The text of a flow or test file that isn't on disk. It stands for the file. */
export interface UnsavedText {
  readonly uri: string;
  readonly text: string;
}

export interface TestFileView {
  readonly uri: string;
  /** The flow it names, be it there or not. */
  readonly flow?: string;
  /** Why none of its tests can run. */
  readonly problem?: { readonly message: string; readonly range: TextRange };
  readonly tests: readonly {
    /** Its name, with a number where the file has the same name before. */
    readonly id: string;
    readonly name: string;
    /** Of a case, its own. */
    readonly range: TextRange;
  }[];
}

export interface TestRunView {
  readonly files: readonly (TestFileView & { readonly results: readonly TestResultView[] })[];
  readonly coverage: readonly FlowCoverageView[];
  readonly report?: string;
}

export interface TestResultView {
  /** The test's. */
  readonly id: string;
  readonly failures: readonly FailureView[];
  /** Why it wasn't run, where the test says so. */
  readonly skipped?: string;
  /** The path that was run, as words. Only of a test that failed. */
  readonly path?: string;
}

export interface FailureView {
  readonly kind: string;
  readonly message: string;
  /** In the test file. */
  readonly range: TextRange;
  /** Where there are two texts to compare. */
  readonly expected?: string;
  readonly actual?: string;
  /** The nodes of the run, the last one first. */
  readonly stack: readonly PathFrame[];
}

export interface PathFrame {
  readonly label: string;
  readonly uri: string;
  readonly range: TextRange;
}

export interface FlowCoverageView {
  readonly uri: string;
  readonly nodes: readonly NodeCoverageView[];
}

export interface CoverageView {
  readonly id: string;
  readonly range: TextRange;
  readonly state: "covered" | "missing" | "unreachable";
  /** The tests that come by, for `testsIn`: hundreds of tests come by hundreds of nodes. */
  readonly tests: string;
}

/** Places among all results of an answer, in order. Each digit stands for four of them. */
export function testsIn(tests: string): number[] {
  return [...tests].flatMap((digit, index) => {
    const bits = Number.parseInt(digit, 16);
    return [0, 1, 2, 3].flatMap((bit) => (bits & (1 << bit) ? [4 * index + bit] : []));
  });
}

export interface NodeCoverageView extends CoverageView {
  readonly edges: readonly (CoverageView & { readonly label: string })[];
}
