/** What a change does to the conversation: what can be reached, and what may be unset, before and after. */
import { type Analysis, analyse, reach } from "../analysis";
import type { Entry, FlowDocument } from "../document";
import { sameShape } from "../reading/shape";
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
  // Most changes are to words alone.
  if (haveSameShape(from, to)) return { reachable: [], unreachable: [], may_be_unset: [] };
  const [before, after] = [reachableNodes(analyse(from)), reachableNodes(analyse(to))];
  const known = new Set(unsetReads(analyse(from)));
  return {
    reachable: [...after].filter((id) => !before.has(id)),
    unreachable: [...before].filter((id) => !after.has(id)),
    may_be_unset: unsetReads(analyse(to)).filter((read) => !known.has(read)),
  };
}

/** Whether two flows that could be read in full differ in nothing that can be reached or is set or read. */
function haveSameShape(a: FlowDocument, b: FlowDocument): boolean {
  const isWhole = a.problems.length === 0 && b.problems.length === 0;
  if (!isWhole || a.entries.length !== b.entries.length) return false;
  return a.entries.every((entry, at) => sameShape(entry, b.entries[at] as Entry));
}

/** The nodes that edges lead to from the entry, whatever their conditions, in the order of the file. */
function reachableNodes({ out, entry, nodes }: Analysis): Set<string> {
  const isReached = reach(out, entry < 0 ? [] : [entry]);
  return new Set(nodes.flatMap(({ id }, number) => (isReached[number] ? id : [])));
}

function unsetReads(flow: Analysis): string[] {
  const reads = firstReads(flow);
  const all = reads.numbers.flatMap((read) => {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    return [{ node, use }, ...reads.othersOf(node, use)];
  });
  const names = all.map(({ node, use }) => `${flow.nodes[node]?.id}: ${flow.nodes[node]?.refs[use]?.name}`);
  return [...new Set(names)];
}
