/** The effect of a change on the conversation: what can be reached, and what may be unset, before and after. */
import { type Analysis, analyze } from "../analysis";
import type { FlowDocument, NodeBlock } from "../document";
import { reach } from "../graph/links";
import { sameShapes } from "../reading/shape";
import { firstReads, type ReadAt } from "../rules/analyses/unset";

export interface Behavior {
  /** IDs of nodes that can be reached from the entry only after the change. */
  readonly reachable: readonly string[];
  /** IDs of nodes that could be reached only before it. */
  readonly unreachable: readonly string[];
  /** `node: variable` for each read that may be unset only after it, or that some path no longer tries to set. */
  readonly may_be_unset: readonly string[];
}

export function behaviorBetween(from: FlowDocument, to: FlowDocument): Behavior {
  // Most changes only affect text.
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

/** Whether two flows without syntax errors are equal in everything that affects reachability and variables. */
function haveSameShape(a: FlowDocument, b: FlowDocument): boolean {
  return a.problems.length === 0 && b.problems.length === 0 && sameShapes(a.blocks, b.blocks);
}

/** IDs of the nodes reachable from the entry, regardless of conditions, in only one flow; in file order. */
function reachedOnlyIn(here: Analysis, there: Analysis): string[] {
  const [isHere, isThere] = [reached(here), reached(there)];
  const [nodes, others] = [here.nodes, there.nodes];
  const found: string[] = [];
  for (let number = 0; number < nodes.length; number++) {
    const { id } = nodes[number] as NodeBlock;
    // Nodes are mostly at the same index, which is faster to check than their names.
    if (!isHere[number] || (isThere[number] && others[number]?.id === id)) continue;
    if (!isThere[there.indexOf(id)]) found.push(id);
  }
  return found;
}

function reached({ out, entry }: Analysis): Uint8Array {
  return reach(out, entry < 0 ? [] : [entry]);
}

/** The reads that may be unset, and whether some path doesn't try to set the variable. */
function unsetReads(flow: Analysis): ReadonlyMap<string, boolean> {
  const reads = firstReads(flow);
  const all = reads.numbers.flatMap((read) => {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    return [{ node, use }, ...reads.othersOf(node, use)];
  });
  const nameOf = ({ node, use }: ReadAt) => `${flow.nodes[node]?.id}: ${flow.nodes[node]?.refs[use]?.name}`;
  return new Map(all.map((read) => [nameOf(read), reads.isUntried(read)]));
}
