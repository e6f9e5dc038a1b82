/** What verdicts depend on: if it's the same in two versions of a flow, they have the same verdicts. */
import type { FlowDocument, NodeBlock, VariableBlock } from "../document";
import { topText } from "../graph/graph-of";
import { unreadIn } from "../unread";
import { textOf, toData } from "../values";

/** The lists stay as they are when the document is edited. */
export interface Snapshot extends Pick<FlowDocument, "nodes" | "variables"> {
  readonly rest: string;
}

export function snapshotOf(document: FlowDocument): Snapshot {
  const { nodes, variables } = document;
  const outputs = toData(document.top("component_outputs")?.value);
  return { nodes, variables, rest: JSON.stringify([topText(document, "entry"), outputs, !unreadIn(document)]) };
}

/** Whether policies can't distinguish two versions of a flow. */
export function isSameFlow(before: Snapshot, now: Snapshot): boolean {
  return (
    before.rest === now.rest &&
    areSame(before.nodes, now.nodes, nodeFingerprint) &&
    areSame(before.variables, now.variables, declarationOf)
  );
}

/** Unchanged blocks are the same objects, so nearly all are compared at once. */
function areSame<Item>(some: readonly Item[], others: readonly Item[], fingerprint: (item: Item) => string): boolean {
  return (
    some.length === others.length &&
    some.every((item, index) => {
      const other = others[index] as Item;
      return item === other || fingerprint(item) === fingerprint(other);
    })
  );
}

/** Everything about a node that policies may depend on. */
function nodeFingerprint(node: NodeBlock): string {
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

function declarationOf({ name, value }: VariableBlock): string {
  return JSON.stringify([name, toData(value)]);
}
