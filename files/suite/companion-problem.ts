/** What is wrong in a file that speaks of flows, as the editor and the command line show it. */
import type { Fix, FlowPlace, Severity, Span } from "../../flow";

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
