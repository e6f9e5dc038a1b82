/** What a rule of the platform is. A rule sees the prepared graph and reports what is wrong with it. */
import type { GraphNode } from "../../flow";
import type { View } from "./view";

export interface PlatformRule {
  readonly id: string;
  readonly category: "structure" | "paths" | "variables" | "nodes";
  readonly severity: "error" | "warning" | "suggestion";
  /** The flow cannot be compiled while this stands. Only errors block. */
  readonly blocking?: true;
  readonly check: (view: View, report: (report: Report) => void) => void;
}

/** What a rule says; ids become places and lists of ids in validator.ts. */
export interface Report {
  readonly message: string;
  readonly node?: string;
  readonly edge?: string;
  readonly relatedNodes?: readonly string[];
  readonly relatedEdges?: readonly string[];
  /** The words the report is about, looked for in the node's text (for an edge: in its source's text). */
  readonly words?: RegExp;
  /** Which match of the words, from 0. */
  readonly nth?: number;
  /** Text to put in place of exactly these words: used only where the words were found. */
  readonly replacement?: string;
  /** What to suggest otherwise. */
  readonly fix?: string;
}

/** Makes reports that follow from a node and one other alone; each is made once, since nodes never change. */
export function reportsOf(
  make: (node: GraphNode, other: GraphNode | undefined) => Report,
): (node: GraphNode, other?: GraphNode) => Report {
  const made = new WeakMap<GraphNode, { readonly other: GraphNode | undefined; readonly report: Report }>();
  return (node, other) => {
    const before = made.get(node);
    if (before && before.other === other) return before.report;
    const report = make(node, other);
    made.set(node, { other, report });
    return report;
  };
}
