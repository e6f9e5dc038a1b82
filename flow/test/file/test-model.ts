/** The parts of a test file. Locations are offsets in the file. */
import type { ReadProblem } from "../../reading/problem";
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
  /** The probable intention, as a replacement. */
  readonly near?: string;
  /** The fix of a syntax error. */
  readonly data?: ReadProblem["data"];
}

/** A value in the file, and its location. */
export interface Located<What> {
  readonly value: What;
  readonly span: Span;
}

/** The value of a key; `valueSpan`, which starts after the colon, is the range to replace. */
export interface TestField<What> extends Located<What> {
  readonly valueSpan: Span;
}

export interface FlowTest {
  /** For a case, the name of its test with its own in parentheses. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The whole test, with its other cases. */
  readonly span: Span;
  /** The case, if the test has cases. */
  readonly case: { readonly index: number; readonly span: Span } | undefined;
  readonly tags: readonly Located<string>[];
  /** Why the test is skipped. */
  readonly skip: Located<string> | undefined;
  /** Variables before the first node. */
  readonly given: ReadonlyMap<string, Located<unknown>>;
  /** By node ID or tool ID. */
  readonly tools: ReadonlyMap<string, Stubs>;
  readonly steps: readonly TestStep[];
  readonly expect: Expectations;
  /** Problems that prevent it from running. */
  readonly problems: readonly TestProblem[];
  /** Parts without effect, whatever the run does. */
  readonly unused: readonly TestProblem[];
  /** It has anchors or aliases, so parts of it may be used by another test. */
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
  /** The node at which it happens, if specified. */
  readonly at: Located<string> | undefined;
  readonly says: string | undefined;
  readonly does:
    | { readonly kind: "take"; readonly edge: Located<string> }
    /** Without a variable, the caller gave up. */
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

/** The node, and, if specified, whether the run is transferred there or ends. */
export interface ExpectedEnd extends Located<string> {
  readonly transfer: Located<boolean> | undefined;
}
