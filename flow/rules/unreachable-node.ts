import { type Analysis, analyze } from "../analysis";
import type { FlowDocument, NodeBlock } from "../document";
import { components, reach } from "../graph/links";
import { nearest } from "../near";
import { more } from "./analyses/paths";
import { removeBlock } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";
import { unknownTargets } from "./unknown-target";

const MAX_SLIPS = 16;

/** Reported once for each island, at its head: the node that nothing else leads to. What is behind it is counted. */
export const unreachableNode: Rule = {
  code: "unreachable-node",
  severity: "warning",
  title: "No path leads from the entry to a node",
  checkGraph(flow, report) {
    const { nodes, entry } = flow;
    const start = nodes[entry];
    if (!start) return;
    for (const { head, others } of islands(flow)) {
      const id = nodes[head]?.id;
      const isLoop = othersLeadingTo(flow, head).length > 0;
      const why = isLoop ? "Only the loop it is part of leads to it." : "No edge leads to it.";
      const count =
        others.length > 0
          ? ` ${more(others.length, "node")} behind it ${others.length === 1 ? "is" : "are"} unreachable too.`
          : "";
      report({
        message: `No path leads from "${start.id}" to "${id}". ${why}${count} Add an edge to it, or remove it.`,
        at: { node: head },
        unnecessary: true,
        ...(others.length > 0 && {
          also: () => others.map((node) => ({ message: `"${nodes[node]?.id}" is unreachable too.`, at: { node } })),
        }),
      });
    }
  },
  fixes(problem, document) {
    const flow = analyze(document);
    const head = flow.nodes.findIndex((each) => document.startOf(each) + each.keySpan.start === problem.span.start);
    const island = islands(flow).find((each) => each.head === head);
    if (!island) return [];
    const fixes: Fix[] = [];
    const { id } = flow.nodes[head] as NodeBlock;
    if (othersLeadingTo(flow, head).length === 0)
      fixes.push({ title: `Remove the node "${id}"`, edits: [removeBlock(document, flow.nodes[head] as NodeBlock)] });
    const edits = island.others.length > 0 ? removeAll(flow, document, [head, ...island.others]) : [];
    if (edits.length > 0)
      fixes.push({
        title: `Remove "${id}" and ${island.others.length === 1 ? "the node" : `the ${island.others.length} nodes`} behind it`,
        edits,
      });
    return fixes;
  },
};

interface Island {
  readonly head: number;
  /** What is reached from its head, and from no head before it in the file. */
  readonly others: readonly number[];
}

function islands(flow: Analysis): Island[] {
  const { nodes, out, reachable: reached } = flow;
  // Without an entry, or behind a node that could not be read, nothing is known about what can be reached.
  if (!reached) return [];
  const missed: number[] = [];
  for (let n = 0; n < nodes.length; n++)
    if (!reached[n] && flow.indexOf((nodes[n] as NodeBlock).id) === n) missed.push(n);
  if (missed.length === 0) return [];
  // What a slip in a target leads to is no island: the slip alone is reported.
  const seen = nodesMeant(flow, missed);
  const found: Island[] = [];
  const add = (head: number) => {
    const others: number[] = [];
    seen[head] = 1;
    const queue = [head];
    for (let n = queue.pop(); n !== undefined; n = queue.pop())
      for (let i = out.start[n] as number; i < (out.start[n + 1] as number); i++) {
        const target = out.to[i] as number;
        if (seen[target] || reached[target]) continue;
        seen[target] = 1;
        others.push(target);
        queue.push(target);
      }
    found.push({ head, others: others.sort((a, b) => a - b) });
  };
  for (const n of missed) if (!seen[n] && othersLeadingTo(flow, n).length === 0) add(n);
  // The rest starts with loops: a loop that nothing else leads to has its first node in the file for a head.
  if (missed.some((n) => !seen[n])) {
    const { of } = components(out);
    const isEntered = new Set<number>();
    for (const n of missed)
      for (const caller of othersLeadingTo(flow, n)) if (of[caller] !== of[n]) isEntered.add(of[n] as number);
    for (const n of missed) if (!seen[n] && !isEntered.has(of[n] as number)) add(n);
  }
  return found.sort((a, b) => a.head - b.head);
}

function othersLeadingTo(flow: Analysis, n: number): Int32Array {
  return flow.in.to.subarray(flow.in.start[n], flow.in.start[n + 1]).filter((caller) => caller !== n);
}

/** Removes nodes, unless others lead to one of them, or they stand in the way of each other. */
function removeAll(flow: Analysis, document: FlowDocument, gone: readonly number[]): Fix["edits"] {
  const set = new Set(gone);
  if (gone.some((n) => othersLeadingTo(flow, n).some((caller) => !set.has(caller)))) return [];
  const edits = gone.map((n) => removeBlock(document, flow.nodes[n] as NodeBlock)).sort((a, b) => a.start - b.start);
  return edits.every((edit, index) => index === 0 || (edits[index - 1]?.end ?? 0) <= edit.start) ? edits : [];
}

/** Nodes that an edge with a slip in its target most likely leads to, and what they lead to. */
function nodesMeant(flow: Analysis, missed: readonly number[]): Uint8Array {
  const meant: number[] = [];
  let looked = 0;
  unknownTargets(flow, (_node, _edge, to) => {
    if (looked++ >= MAX_SLIPS) return;
    const near = nearest(
      to,
      missed.map((n) => flow.nodes[n]?.id ?? ""),
    );
    if (near !== undefined) meant.push(flow.indexOf(near));
  });
  return reach(flow.out, meant);
}
