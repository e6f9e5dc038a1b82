/** What is wrong in a file that speaks of flows, as the editor and the command line show it. */
import type { Fix, Severity, Span } from "../../flow";
import type { FlowPlace } from "../../flow/test";

export interface CompanionProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Places in flows that belong to it. */
  readonly related: readonly (FlowPlace & { readonly message: string })[];
  /** Worked out only when somebody asks. */
  readonly fixes: () => readonly Fix[];
}
