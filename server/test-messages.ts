/** Messages between VS Code and the server about tests of flows. Like messages.ts, it imports types only. */
import type { Message, TextPosition, TextRange } from "./messages";

/** Client to server: the tests of files, as far as they can be parsed. */
export const ListTestsRequest: Message<
  { readonly files: readonly string[]; readonly unsaved: readonly UnsavedText[] },
  readonly TestFileView[]
> = { method: "assistantFlow/listTests" };

/** Client to server: run tests. They run in a worker thread, so other requests don't wait. */
export const RunTestsRequest: Message<RunTestsParams, TestRunView> = { method: "assistantFlow/runTests" };

/** Client to server: new tests of a flow, as text for a file next to it. Nothing is written. */
export const NewTestsRequest: Message<NewTestsParams, NewTests | NoNewTests> = {
  method: "assistantFlow/newTests",
};

/** Client to server: the known tools of a flow as the text of a snapshot, or null if they aren't known. */
export const ToolsRequest: Message<{ readonly uri: string }, string | null> = { method: "assistantFlow/tools" };

/** Client to server: trace calls through a flow, in the thread that runs tests. Null if the flow can't run. */
export const TraceCallsRequest: Message<TraceCallsParams, CallsView | null> = { method: "assistantFlow/traceCalls" };

/** Client to server: the path of one call through a flow. Null if the flow can't run. */
export const TraceCallRequest: Message<TraceCallParams, CallPathView | null> = { method: "assistantFlow/traceCall" };

export interface TraceCallParams {
  readonly flow: string;
  /** The call as the platform returns it. */
  readonly call: unknown;
  readonly unsaved: readonly UnsavedText[];
}

/** The path of a call as far as it is known. */
export interface CallPathView {
  readonly verdict: "placed" | "partly" | "unplaced";
  readonly steps: readonly {
    readonly node: string;
    readonly certainty: "certain" | "likely";
    /** Indexes into the transcript. */
    readonly turns: readonly number[];
  }[];
  readonly end?: string;
}

export interface TraceCallsParams {
  readonly flow: string;
  /** Calls of the flow as the platform returns them, without what tracing doesn't need. */
  readonly calls: readonly unknown[];
  readonly unsaved: readonly UnsavedText[];
}

/** How many calls took each node and edge. Contains IDs and counts only. */
export interface CallsView {
  readonly calls: number;
  readonly placed: number;
  readonly partly: number;
  readonly unplaced: number;
  /** Set by the client: when each listed call began, and how it ended. */
  readonly rows?: Readonly<Record<string, string>>;
  readonly nodes: readonly (CallCountView & { readonly id: string })[];
  readonly edges: readonly (CallCountView & {
    readonly source: string;
    readonly id: string;
    /** Set by the client: a test takes the edge. */
    readonly tested?: boolean;
  })[];
}

export interface CallCountView {
  readonly calls: number;
  /** Calls whose last known step this is although the flow continues. */
  readonly left: number;
  /** The IDs of the first of these calls, and of those that left. */
  readonly ids: readonly string[];
  readonly leftIds: readonly string[];
}

export interface NewTestsParams {
  readonly flow: string;
  readonly what: WantedTests;
  readonly unsaved: readonly UnsavedText[];
}

export type WantedTests =
  /** A shortest run, through a node if one is given. */
  | { readonly kind: "through"; readonly node?: string }
  /** A run that enters these nodes in this order, and continues to an end. */
  | { readonly kind: "along"; readonly path: readonly string[] }
  /** A small set of tests that takes every edge. */
  | { readonly kind: "all" }
  /** The run of a call, with personal data replaced by placeholders. */
  | { readonly kind: "call"; readonly call: CallView };

/** The certain facts of a call, and the data that must not be written. */
export interface CallView {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ended?: "end" | "transfer";
  /** `callEndedReason` and `callEndedBy`. */
  readonly reason?: string | undefined;
  readonly endedBy?: string | undefined;
  readonly turns: readonly { readonly text: string; readonly user: string }[];
  /** The caller's names on the platform. */
  readonly names: readonly string[];
  /** Whether the test includes what the caller said, as far as the flow contains the same words. */
  readonly says: boolean;
}

export interface NoNewTests {
  readonly problem: string;
  /** Why no run matches a call: the end of `problem`, for a row in which the whole sentence would be cut off. */
  readonly reason?: string;
  /** Where the flow can be corrected. */
  readonly at?: { readonly uri: string; readonly position: TextPosition };
  /** An existing test with the same run. */
  readonly same?: { readonly uri: string; readonly name: TextRange };
}

export interface NewTests {
  /** The test file. */
  readonly uri: string;
  /** Whether the file doesn't exist yet. */
  readonly isNew: boolean;
  readonly position: TextPosition;
  readonly text: string;
  /** The name of the first new test, in the resulting text. */
  readonly name: TextRange;
  readonly count: number;
  /** Whether parts are undecided; they are marked in the text. */
  readonly isDraft?: boolean;
  /** Mistakes in the flow that the runs show, a sentence each. */
  readonly faults?: readonly string[];
}

export interface RunTestsParams {
  readonly files: readonly {
    readonly uri: string;
    /** The tests to run, by ID; all of them by default. */
    readonly tests?: readonly string[];
  }[];
  readonly unsaved: readonly UnsavedText[];
  /** Whether to include the report that `assistant-flow test --coverage --format json` prints. */
  readonly report?: boolean;
}

/** The text of a flow or test file that isn't on disk; it is used instead of the file. */
export interface UnsavedText {
  readonly uri: string;
  readonly text: string;
}

export interface TestFileView {
  readonly uri: string;
  /** The flow it names, whether it exists or not. */
  readonly flow?: string;
  /** Why none of its tests can run. */
  readonly problem?: { readonly message: string; readonly range: TextRange };
  readonly tests: readonly {
    /** Its name, with a number if an earlier test has the same name. */
    readonly id: string;
    readonly name: string;
    /** For a case, the range of the case. */
    readonly range: TextRange;
  }[];
}

export interface TestRunView {
  readonly files: readonly (TestFileView & { readonly results: readonly TestResultView[] })[];
  readonly coverage: readonly FlowCoverageView[];
  readonly report?: string;
}

export interface TestResultView {
  /** The test's ID. */
  readonly id: string;
  readonly failures: readonly FailureView[];
  /** Why it was skipped, if the test says so. */
  readonly skipped?: string;
  /** The path of the run, as text. Only for a failed test. */
  readonly path?: string;
}

export interface FailureView {
  readonly kind: string;
  readonly message: string;
  /** In the test file. */
  readonly range: TextRange;
  /** Set if there are two values to compare. */
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
  /** The tests that pass here, as indexes into the results of the response. */
  readonly tests: readonly number[];
}

export interface NodeCoverageView extends CoverageView {
  readonly edges: readonly (CoverageView & { readonly label: string })[];
}
