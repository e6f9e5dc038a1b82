/** The parts of a test file. Places are offsets in the file. */
import type { Span } from "../../text";

export interface TestFile {
  readonly text: string;
  /** The path of the flow as written, relative to the test file. */
  readonly flow: Located<string> | undefined;
  /** One for each test, or for each of its cases. */
  readonly tests: readonly FlowTest[];
  /** Problems of the file as a whole. */
  readonly problems: readonly TestProblem[];
}

export interface TestProblem {
  readonly message: string;
  readonly span: Span;
  /** What was probably meant, to be written in its place. */
  readonly near?: string;
}

/** Something the file says, and where. */
export interface Located<What> {
  readonly value: What;
  readonly span: Span;
}

/** The value of a key; another one can be written in the place of `valueSpan`, which starts behind the colon. */
export interface TestField<What> extends Located<What> {
  readonly valueSpan: Span;
}

export interface FlowTest {
  /** Of a case, the name of its test with its own in parentheses. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The whole test, its other cases included. */
  readonly span: Span;
  /** Where a test has cases: the one that this is. */
  readonly case: { readonly index: number; readonly span: Span } | undefined;
  readonly tags: readonly Located<string>[];
  /** Why the test isn't run. */
  readonly skip: Located<string> | undefined;
  /** Variables before the first node. */
  readonly given: ReadonlyMap<string, Located<unknown>>;
  /** By node id or tool id. */
  readonly tools: ReadonlyMap<string, Stubs>;
  readonly steps: readonly TestStep[];
  readonly expect: Expectations;
  /** What keeps it from being run. */
  readonly problems: readonly TestProblem[];
  /** What it says to no effect, whatever the run does. */
  readonly unused: readonly TestProblem[];
  /** It has anchors or aliases: parts of it may be there for another test. */
  readonly isShared: boolean;
}

/** The answers to calls of a tool or component: one for each call, or one for all. */
export interface Stubs {
  readonly span: Span;
  readonly isList: boolean;
  readonly answers: readonly StubAnswer[];
}

export type StubAnswer = { readonly return: unknown } | { readonly event: string };

export interface TestStep {
  readonly span: Span;
  /** The node at which it happens, if the test says so. */
  readonly at: Located<string> | undefined;
  readonly says: string | undefined;
  readonly does:
    | { readonly kind: "take"; readonly edge: Located<string> }
    /** Without a variable the caller gave up, whatever was asked for. */
    | { readonly kind: "give"; readonly variable: Located<string> | undefined; readonly value: unknown };
}

export interface Expectations {
  readonly span: Span | undefined;
  readonly path: TestField<readonly Located<string>[]> | undefined;
  readonly variables: ReadonlyMap<string, TestField<unknown>>;
  readonly ends: ExpectedEnd | undefined;
  readonly stuck: Located<string> | undefined;
  readonly never: readonly Located<string>[];
  readonly unset: readonly Located<string>[];
}

/** The node, and where the test says so whether the run is transferred there or ends. */
export interface ExpectedEnd extends Located<string> {
  readonly transfer: Located<boolean> | undefined;
}
