/** The rules of the platform. A rule checks the prepared graph and reports problems. */
import type { Words } from "./spans";
import type { View } from "./view";

export interface PlatformRule {
  readonly id: string;
  readonly category: "structure" | "paths" | "variables" | "nodes";
  readonly severity: "error" | "warning" | "suggestion";
  /** Whether this prevents compilation. Only errors do. */
  readonly blocking?: true;
  readonly check: (view: View, report: (report: Report) => void) => void;
}

/** A report of a rule; validator.ts converts IDs to locations. */
export interface Report {
  readonly message: string;
  readonly node?: string;
  readonly edge?: string;
  readonly relatedNodes?: readonly string[];
  readonly relatedEdges?: readonly string[];
  /** The reported text, searched in the node's text (for an edge: in the text of its source). */
  readonly words?: Words;
  /** The 0-based index of the match. */
  readonly nth?: number;
  /** The replacement of the matched text; used only if there is a match. */
  readonly replacement?: string;
  /** The suggestion otherwise. */
  readonly fix?: string;
}
