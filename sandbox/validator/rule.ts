/** The rules of the platform. A rule checks the prepared graph and reports problems. */
import type { GraphNode } from "../../flow";
import type { Words } from "./spans";
import type { View } from "./view";

export type PlatformRule = {
  readonly id: string;
  /** Blocking rules report errors that prevent compilation. */
  readonly severity: "blocking" | "error" | "warning" | "suggestion";
} & (
  | { readonly check: (view: View, report: (report: Report) => void) => void }
  /** Checks each node; what it returns is reported for the node. */
  | { readonly checkNode: (node: GraphNode, view: View) => Omit<Report, "node"> | undefined }
);

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
