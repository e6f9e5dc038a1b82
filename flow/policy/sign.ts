/** What verdicts may depend on, in few words: two texts with the same signs have the same verdicts. */
import type { NodeEntry, VariableEntry } from "../document";
import type { Program } from "../run/program";
import { unreadIn } from "../unread";
import { textOf, toData } from "../values";

/** All that policies may ask of a node. */
export function signOf(node: NodeEntry): string {
  const { id, type, edges, refs, fields } = node;
  const field = (name: string) => textOf(fields.get(name)?.value);
  const data = (name: string) => toData(fields.get(name)?.value);
  return JSON.stringify([
    [id, type, field("name"), field("tool"), field("component"), field("variable")],
    edges.map((edge) => [edge.id, toData(edge.value)]),
    refs.map(({ kind, name }) => [kind, name]),
    // What goes into a component and comes out of it decides conditions inside and behind it.
    type === "component" ? [data("inputs"), data("saves")] : [],
  ]);
}

export function declarationOf({ name, value }: VariableEntry): string {
  return JSON.stringify([name, toData(value)]);
}

/** All that policies may ask of a flow as a component, but its nodes. */
export function partSign({ entry, outputs, document }: Program): string {
  return JSON.stringify([entry?.id, outputs, document.variables.map(declarationOf), unreadIn(document)]);
}

/** Whether the nodes of two programs say the same. Those that an edit left alone are the same objects. */
export function haveSameNodes(one: Program, other: Program): boolean {
  if (one.nodes.size !== other.nodes.size) return false;
  for (const [id, { entry }] of one.nodes) {
    const now = other.nodes.get(id)?.entry;
    if (!now || (now !== entry && signOf(now) !== signOf(entry))) return false;
  }
  return true;
}
