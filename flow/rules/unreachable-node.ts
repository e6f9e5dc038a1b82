import { type Analysis, analyze } from "../analysis";
import type { FlowDocument, NodeBlock } from "../document";
import { components, reach } from "../graph/links";
import { countMore, nearest } from "../wording";
import { removeBlock } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";
import { unknownTargets } from "./unknown-target";

const MAX_SLIPS = 16;

/**
 * Reported once for each unreachable part of the flow, at its head: the node without incoming edges. The nodes after it
 * are counted.
 */
export const unreachableNode: Rule = {
  code: "unreachable-node",
  severity: "warning",
  title: "Unreachable node",
  checkGraph(flow, report) {
    const { nodes, entry } = flow;
    const start = nodes[entry];
    if (!start) return;
    for (const { head, others } of islands(flow)) {
      const id = nodes[head]?.id;
      const isLoop = othersLeadingTo(flow, head).length > 0;
      const why = isLoop ? "Only its own loop leads to it." : "No edge leads to it.";
      const count =
        others.length > 0
          ? ` ${countMore(others.length, "node")} after it ${others.length === 1 ? "is" : "are"} also unreachable.`
          : "";
      report({
        message: `"${id}" can't be reached from "${start.id}". ${why}${count} Add an edge to it, or remove it.`,
        at: { node: head },
        unnecessary: true,
        ...(others.length > 0 && {
          also: () => others.map((node) => ({ message: `"${nodes[node]?.id}" is also unreachable.`, at: { node } })),
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
      fixes.push({ title: `Remove node "${id}"`, edits: [removeBlock(document, flow.nodes[head] as NodeBlock)] });
    const edits = island.others.length > 0 ? removeAll(flow, document, [head, ...island.others]) : [];
    if (edits.length > 0)
      fixes.push({
        title: `Remove "${id}" and ${island.others.length === 1 ? "the node" : `the ${island.others.length} nodes`} after it`,
        edits,
      });
    return fixes;
  },
};

interface Island {
  readonly head: number;
  /** The nodes reachable from this head, and from no earlier head in the file. */
  readonly others: readonly number[];
}

function islands(flow: Analysis): Island[] {
  const { nodes, out, reachable: reached } = flow;
  // Without an entry, or after a node with syntax errors, reachability is unknown.
  if (!reached) return [];
  const missed: number[] = [];
  for (let n = 0; n < nodes.length; n++)
    if (!reached[n] && flow.indexOf((nodes[n] as NodeBlock).id) === n) missed.push(n);
  if (missed.length === 0) return [];
  // If a typo in a target makes nodes unreachable, only the typo is reported.
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
  // The remaining parts start with loops: the head of a loop without incoming edges is its first node in the file.
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

/** Removes nodes, unless other nodes point to them or the edits overlap. */
function removeAll(flow: Analysis, document: FlowDocument, gone: readonly number[]): Fix["edits"] {
  const set = new Set(gone);
  if (gone.some((n) => othersLeadingTo(flow, n).some((caller) => !set.has(caller)))) return [];
  const edits = gone.map((n) => removeBlock(document, flow.nodes[n] as NodeBlock)).sort((a, b) => a.start - b.start);
  return edits.every((edit, index) => index === 0 || (edits[index - 1]?.end ?? 0) <= edit.start) ? edits : [];
}

/** The nodes that edges with a typo in their target most likely mean, and the nodes reachable from them. */
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
