/** What a change does to the conversation: what can be reached, and what may be unset, before and after. */
import { type Analysis, analyze } from "../analysis";
import type { FlowDocument, NodeBlock } from "../document";
import { reach } from "../graph/links";
import { sameShapes } from "../reading/shape";
import { firstReads, type ReadAt } from "../rules/analyses/unset";

export interface Behavior {
  /** Ids of nodes that can be reached from the entry only after the change. */
  readonly reachable: readonly string[];
  /** Ids of nodes that could be reached only before it. */
  readonly unreachable: readonly string[];
  /** `node: variable` for each read that may be unset only after it, or that a path no longer even tries to set. */
  readonly may_be_unset: readonly string[];
}

export function behaviorBetween(from: FlowDocument, to: FlowDocument): Behavior {
  // Most changes are to words alone.
  if (haveSameShape(from, to)) return { reachable: [], unreachable: [], may_be_unset: [] };
  const [before, after] = [analyze(from), analyze(to, from)];
  const known = unsetReads(before);
  return {
    reachable: reachedOnlyIn(after, before),
    unreachable: reachedOnlyIn(before, after),
    may_be_unset: [...unsetReads(after)].flatMap(([read, isUntried]) =>
      known.get(read) === undefined || (isUntried && !known.get(read)) ? [read] : [],
    ),
  };
}

/** Whether two flows that could be read in full differ in nothing that can be reached or is set or read. */
function haveSameShape(a: FlowDocument, b: FlowDocument): boolean {
  return a.problems.length === 0 && b.problems.length === 0 && sameShapes(a.blocks, b.blocks);
}

/** Ids of the nodes that edges lead to from the entry, whatever their conditions, in one flow alone; in the order of its file. */
function reachedOnlyIn(here: Analysis, there: Analysis): string[] {
  const [isHere, isThere] = [reached(here), reached(there)];
  const [nodes, others] = [here.nodes, there.nodes];
  const found: string[] = [];
  for (let number = 0; number < nodes.length; number++) {
    const { id } = nodes[number] as NodeBlock;
    // Nodes mostly stand in the same place, which is quicker to see than to look their names up.
    if (!isHere[number] || (isThere[number] && others[number]?.id === id)) continue;
    if (!isThere[there.indexOf(id)]) found.push(id);
  }
  return found;
}

function reached({ out, entry }: Analysis): Uint8Array {
  return reach(out, entry < 0 ? [] : [entry]);
}

/** The reads that may be unset, and whether on some path nothing tries to set the variable. */
function unsetReads(flow: Analysis): ReadonlyMap<string, boolean> {
  const reads = firstReads(flow);
  const all = reads.numbers.flatMap((read) => {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    return [{ node, use }, ...reads.othersOf(node, use)];
  });
  const nameOf = ({ node, use }: ReadAt) => `${flow.nodes[node]?.id}: ${flow.nodes[node]?.refs[use]?.name}`;
  return new Map(all.map((read) => [nameOf(read), reads.isUntried(read)]));
}
