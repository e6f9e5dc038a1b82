/** A diagnostic of a test or policy file, shown by the editor and the command line. */
import type { Fix, Severity, Span } from "../../flow";
import type { FlowPlace } from "../../flow/test";

export interface CompanionProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Related locations in flows. */
  readonly related: readonly (FlowPlace & { readonly message: string })[];
  /** Computed on demand. */
  readonly fixes: () => readonly Fix[];
}
