/** The incoming and outgoing edges of a node, for the call hierarchy. Each item has the locations of its edges. */
import type { EdgeModel, FlowDocument, NodeBlock, Span } from "../../../flow";
import { crossReferences } from "./cross-references";

export interface Way {
  readonly node: NodeBlock;
  /** The targets of the edges, in the file. */
  readonly places: readonly Span[];
}

/** The nodes with an edge to a node. */
export function waysIn(document: FlowDocument, id: string): Way[] {
  const ways = new Map<NodeBlock, Span[]>();
  for (const { block, edge } of crossReferences(document).incoming(id)) add(ways, block, document, block, edge);
  return collect(ways);
}

/** The nodes that a node has an edge to. */
export function waysOut(document: FlowDocument, id: string): Way[] {
  const ways = new Map<NodeBlock, Span[]>();
  const node = document.node(id);
  for (const edge of node?.edges ?? []) {
    const target = edge.to === undefined ? undefined : document.node(edge.to);
    if (node && target) add(ways, target, document, node, edge);
  }
  return collect(ways);
}

function add(ways: Map<NodeBlock, Span[]>, way: NodeBlock, document: FlowDocument, from: NodeBlock, edge: EdgeModel) {
  const places = ways.get(way) ?? [];
  places.push(document.absolute(from, edge.toSpan ?? edge.span));
  ways.set(way, places);
}

function collect(ways: Map<NodeBlock, Span[]>): Way[] {
  return [...ways].map(([node, places]) => ({ node, places }));
}
