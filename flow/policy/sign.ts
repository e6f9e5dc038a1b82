/** What verdicts may depend on, in few words: two texts with the same signs have the same verdicts. */
import type { NodeBlock, VariableBlock } from "../document";
import type { Program, RunNode } from "../run/program";
import { unreadIn } from "../unread";
import { textOf, toData } from "../values";

/** All that policies may ask of a node. */
export function signOf(node: NodeBlock): string {
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

export function declarationOf({ name, value }: VariableBlock): string {
  return JSON.stringify([name, toData(value)]);
}

/** All that policies may ask of a flow as a component, but its nodes. */
export function partSign({ entry, outputs, document }: Program): string {
  return JSON.stringify([entry?.id, outputs, document.variables.map(declarationOf), unreadIn(document)]);
}

/**
 * The nodes of a component's flow that say something else than before. Undefined where that may matter outside of them: they
 * are others, or ask for, set or hand over other variables. Nodes that an edit left alone are the same objects.
 */
export function editedNodes(before: Program, now: Program): readonly RunNode[] | undefined {
  if (before.nodes.size !== now.nodes.size) return undefined;
  const edited: RunNode[] = [];
  for (const [id, was] of before.nodes) {
    const is = now.nodes.get(id);
    if (!is) return undefined;
    if (is.block === was.block || signOf(is.block) === signOf(was.block)) continue;
    if (handlingOf(is) !== handlingOf(was) || is.type === "component" || is.type === "end") return undefined;
    edited.push(is);
  }
  return edited;
}

/** What a node does with variables. */
function handlingOf({ type, asks, variable, saves }: RunNode): string {
  return JSON.stringify([type, asks, variable, saves]);
}
