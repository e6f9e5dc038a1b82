import { reach } from "../analysis";
import { nearest } from "../near";
import { removeEntry } from "./edits";
import type { Rule } from "./rule";
import { unknownTargets } from "./unknown-target";

const MAX_SLIPS = 16;

export const unreachableNode: Rule = {
  code: "unreachable-node",
  severity: "warning",
  title: "No path leads from the entry to a node",
  checkGraph(flow, report) {
    const { nodes, entry } = flow;
    const start = nodes[entry];
    // Without an entry nothing is known about what can be reached.
    if (!start) return;
    const reached = reach(flow.out, [entry]);
    const missed: number[] = [];
    for (let n = 0; n < nodes.length; n++)
      if (!reached[n] && flow.indexOf((nodes[n] as { id: string }).id) === n) missed.push(n);
    if (missed.length === 0) return;
    const meant = nodesMeant(flow, missed);
    for (const n of missed) {
      if (meant[n]) continue;
      const { id } = nodes[n] as { id: string };
      const callers = flow.in.to.subarray(flow.in.start[n], flow.in.start[n + 1]);
      const caller = callers.find((each) => each !== n);
      const why =
        caller === undefined
          ? "No edge leads to it"
          : `It is reached only from "${nodes[caller]?.id}", which is unreachable itself`;
      report({
        message: `No path leads from "${start.id}" to "${id}". ${why}. Add an edge to it, or remove it.`,
        at: { node: n },
        unnecessary: true,
        ...(caller === undefined ? { data: { alone: true } } : {}),
      });
    }
  },
  fixes(problem, document) {
    const node = document.nodes.find((each) => document.startOf(each) + each.keySpan.start === problem.span.start);
    if (!node || !(problem.data as { alone?: boolean } | undefined)?.alone) return [];
    return [{ title: `Remove the node "${node.id}"`, edits: [removeEntry(document, node)] }];
  },
};

/** Nodes that an edge with a slip in its target most likely leads to, and what they lead to: the slip alone is reported. */
function nodesMeant(flow: Parameters<NonNullable<Rule["checkGraph"]>>[0], missed: readonly number[]): Uint8Array {
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
