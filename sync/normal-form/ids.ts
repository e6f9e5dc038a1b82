/**
 * Finds out that the platform changes the form of IDs, such as to lower case. Sent again, an element would then replace
 * the one that the platform made of it, with everything that others have changed there since.
 */
import { type ElementRef, formOf, type Graph, type GraphOp, type PlannedOp } from "../../flow";
import { leaves, MEMBERS } from "./elements";

/** Whether the graph has an element that the batch adds, but only under another form of its ID. */
export function hasOtherIds(ops: readonly GraphOp[], seen: Graph): boolean {
  return ops.some((op) => {
    const added = addedBy(op);
    const twin = added && twinOf(added, seen);
    if (!twin) return false;
    const there = new Set(leaves(seen[MEMBERS[added.kind]].get(twin)));
    return leaves({ ...added.element, source_span: null }).every((leaf) => there.has(leaf));
  });
}

/** The first addition that the platform has under another form of its ID, and that form. */
export function firstWithOtherId(
  ops: readonly PlannedOp[],
  stored: Graph,
): { readonly at: ElementRef; readonly id: string; readonly twin: string } | undefined {
  for (const { op, at } of ops) {
    const added = addedBy(op);
    const twin = added && twinOf(added, stored);
    if (twin) return { at, id: added.id, twin };
  }
  return undefined;
}

interface Added {
  readonly kind: "node" | "variable";
  readonly id: string;
  readonly element: object;
}

function addedBy(op: GraphOp): Added | undefined {
  if (op.op === "upsert_node") return { kind: "node", id: op.node.id, element: op.node };
  if (op.op !== "upsert_context_variable") return undefined;
  return { kind: "variable", id: op.variable.name, element: op.variable };
}

function twinOf({ kind, id }: Added, graph: Graph): string | undefined {
  const members = graph[MEMBERS[kind]];
  if (members.has(id)) return undefined;
  return [...members.keys()].find((other) => formOf(other) === formOf(id));
}
