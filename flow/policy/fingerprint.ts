/** Fingerprints of what verdicts depend on: flows with the same fingerprints have the same verdicts. */
import type { NodeBlock, VariableBlock } from "../document";
import type { Program } from "../run/program";
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

/** Whether policies can't distinguish two versions of a component's flow. Unchanged nodes are the same objects. */
export function isSameFlow(before: Program, now: Program): boolean {
  if (before === now) return true;
  if (before.nodes.size !== now.nodes.size || headOf(before) !== headOf(now)) return false;
  for (const [id, { block }] of before.nodes) {
    const is = now.nodes.get(id)?.block;
    if (!is || (is !== block && nodeFingerprint(is) !== nodeFingerprint(block))) return false;
  }
  return true;
}

/** Everything that policies may depend on, apart from the nodes. */
function headOf({ entry, outputs, document }: Program): string {
  return JSON.stringify([entry?.id, outputs, document.variables.map(declarationOf), unreadIn(document)]);
}
