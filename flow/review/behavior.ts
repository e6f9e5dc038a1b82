/** What a change does to the conversation: what can be reached, and what may be unset, before and after. */
import { analyse } from "../analysis";
import type { FlowDocument } from "../document";
import { edgesBySource } from "../equal";
import type { Graph } from "../graph";
import { graphOf } from "../graph-of";
import { firstReads } from "../rules/unset";

export interface Behavior {
  /** Ids of nodes that can be reached from the entry only after the change. */
  readonly reachable: readonly string[];
  /** Ids of nodes that could be reached only before it. */
  readonly unreachable: readonly string[];
  /** `node: variable` for each read that may be unset only after it. */
  readonly may_be_unset: readonly string[];
}

export function behaviorBetween(from: FlowDocument, to: FlowDocument): Behavior {
  const [before, after] = [reachableNodes(graphOf(from)), reachableNodes(graphOf(to))];
  const known = new Set(unsetReads(from));
  return {
    reachable: [...after].filter((id) => !before.has(id)),
    unreachable: [...before].filter((id) => !after.has(id)),
    may_be_unset: unsetReads(to).filter((read) => !known.has(read)),
  };
}

/** The nodes that edges lead to from the entry, whatever their conditions. */
export function reachableNodes(graph: Graph): Set<string> {
  const edges = edgesBySource(graph);
  const found = new Set<string>();
  const open = graph.entry === undefined ? [] : [graph.entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || !graph.nodes.has(id)) continue;
    found.add(id);
    for (const { target } of edges.get(id) ?? []) open.push(target);
  }
  return found;
}

function unsetReads(document: FlowDocument): string[] {
  const flow = analyse(document);
  const reads = [...firstReads(flow)].flatMap(({ read, others }) => [read, ...others]);
  const names = reads.map(({ node, use }) => `${flow.nodes[node]?.id}: ${flow.nodes[node]?.refs[use]?.name}`);
  return [...new Set(names)];
}
