/** Fingerprints of what verdicts depend on: texts with the same fingerprints have the same verdicts. */
import type { NodeBlock, VariableBlock } from "../document";
import type { Program, RunNode } from "../run/program";
import { unreadIn } from "../unread";
import { textOf, toData } from "../values";

/** Everything about a node that policies may depend on. */
export function nodeFingerprint(node: NodeBlock): string {
  const { id, type, edges, refs, fields } = node;
  const field = (name: string) => textOf(fields.get(name)?.value);
  const data = (name: string) => toData(fields.get(name)?.value);
  return JSON.stringify([
    [id, type, field("name"), field("tool"), field("component"), field("variable")],
    edges.map((edge) => [edge.id, toData(edge.value)]),
    refs.map(({ kind, name }) => [kind, name]),
    // The inputs and outputs of a component decide conditions inside and after it.
    type === "component" ? [data("inputs"), data("saves")] : [],
  ]);
}

export function declarationOf({ name, value }: VariableBlock): string {
  return JSON.stringify([name, toData(value)]);
}

/** Everything about a component's flow that policies may depend on, apart from its nodes. */
export function partFingerprint({ entry, outputs, document }: Program): string {
  return JSON.stringify([entry?.id, outputs, document.variables.map(declarationOf), unreadIn(document)]);
}

/**
 * The changed nodes of a component's flow. Undefined if the change may matter outside of them: other nodes exist, or
 * they test, set, or pass other variables. Unchanged nodes are the same objects.
 */
export function editedNodes(before: Program, now: Program): readonly RunNode[] | undefined {
  if (before.nodes.size !== now.nodes.size) return undefined;
  const edited: RunNode[] = [];
  for (const [id, was] of before.nodes) {
    const is = now.nodes.get(id);
    if (!is) return undefined;
    if (is.block === was.block || nodeFingerprint(is.block) === nodeFingerprint(was.block)) continue;
    if (handlingOf(is) !== handlingOf(was) || is.type === "component" || is.type === "end") return undefined;
    edited.push(is);
  }
  return edited;
}

/** How a node uses variables. */
function handlingOf({ type, asks, variable, saves }: RunNode): string {
  return JSON.stringify([type, asks, variable, saves]);
}
