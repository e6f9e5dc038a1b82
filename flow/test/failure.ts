/** Why a test failed. */
import type { FlowDocument } from "../document";
import type { State } from "../run/machine";
import type { Span } from "../text";

export type FailureKind =
  | "wrong-path"
  | "wrong-variable"
  | "wrong-end"
  | "entered-forbidden"
  | "step-missing"
  | "step-left-over"
  | "wrong-step"
  | "edge-not-taken"
  | "edge-unknown"
  | "stub-missing"
  | "unset-read"
  | "stuck"
  | "endless"
  | "too-large"
  | "bad-test";

export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  /** In the test file. */
  readonly span: Span;
  /** In the flow, if there is a related location. */
  readonly at?: FlowPlace;
  /** A replacement in the test that would fix it. */
  readonly fix?: { readonly title: string; readonly span: Span; readonly text: string };
}

export interface FlowPlace {
  readonly document: FlowDocument;
  /** Offsets in the flow file. */
  readonly span: Span;
}

/** The node a state is at. */
export function nodePlace({ frame, node }: State): FlowPlace {
  const { document } = frame.program;
  return { document, span: document.absolute(node.block, node.block.keySpan) };
}
