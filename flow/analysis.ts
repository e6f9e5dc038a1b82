/** The shape of a flow as rules and features ask for it: who leads to whom, by number rather than by name. */
import { type FlowDocument, type NodeEntry, topText } from "./document";

export interface Analysis {
  readonly document: FlowDocument;
  /** The nodes; a node's number is its place in this list. The first of several with the same id speaks for the id. */
  readonly nodes: readonly NodeEntry[];
  /** The number of a node, or -1. */
  indexOf(id: string): number;
  /** The number of the entry node, or -1. */
  readonly entry: number;
  /** Numbers of the nodes a node leads to, in the order of its edges; edges to unknown nodes are left out. */
  readonly next: readonly (readonly number[])[];
  /** Numbers of the nodes that lead to a node. */
  readonly previous: readonly (readonly number[])[];
}

export function analyse(document: FlowDocument): Analysis {
  const nodes = document.nodes;
  const numbers = new Map<string, number>();
  nodes.forEach((node, number) => {
    if (!numbers.has(node.id)) numbers.set(node.id, number);
  });
  const indexOf = (id: string) => numbers.get(id) ?? -1;
  const previous: number[][] = nodes.map(() => []);
  const next = nodes.map((node, number) => {
    const targets = node.edges
      .map((edge) => (edge.to === undefined ? -1 : indexOf(edge.to)))
      .filter((target) => target >= 0);
    for (const target of targets) previous[target]?.push(number);
    return targets;
  });
  return { document, nodes, indexOf, entry: indexOf(topText(document, "entry") ?? ""), next, previous };
}
