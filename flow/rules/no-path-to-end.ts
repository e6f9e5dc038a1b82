import type { Analysis } from "../analysis";
import { addTo } from "../collections";
import { reach } from "../graph/links";
import { countMore } from "../wording";
import { pathPlaces, tellPath } from "./analyses/paths";
import { type Stuck, stuckIn } from "./analyses/stuck";
import { waysOut } from "./analyses/way-out";
import type { GraphFinding, Rule } from "./engine/rule";

const MAX_STEPS = 8;

/**
 * Reported at the entry, or at a node that could still have been avoided by the node before it. Later nodes are stuck
 * for the same reason, and so are other nodes that lead to the same dead end or loop: they're counted. `dead-end` and
 * `endless-loop` report these themselves.
 */
export const noPathToEnd: Rule = {
  code: "no-path-to-end",
  severity: "warning",
  title: "No path from this node ends the conversation",
  checkGraph(flow, report) {
    const stuck = flow.entry < 0 ? undefined : stuckIn(flow);
    if (!stuck) return;
    const { nodes, entry } = flow;
    const reached = reach(flow.out, [entry]);
    const traps = new Map<number, number[]>();
    for (let n = 0; n < nodes.length; n++) {
      const last = stuck.last[n] as number;
      if (stuck.canEnd[n] || !reached[n] || last === n) continue;
      const callers = flow.in.to.subarray(flow.in.start[n], flow.in.start[n + 1]);
      if (n !== entry && !callers.some((caller) => stuck.canEnd[caller] && reached[caller])) continue;
      // A loop is one trap, whichever of its nodes is reached first. Loops are numbered below zero here.
      const loop = stuck.loop[last] as number;
      addTo(traps, loop >= 0 ? -1 - loop : last, n);
    }
    for (const [n, ...others] of traps.values()) report(trapFinding(flow, stuck, n as number, others));
  },
  fixes: waysOut,
};

function trapFinding(flow: Analysis, stuck: Stuck, n: number, others: readonly number[]): GraphFinding {
  const idOf = (node: number) => flow.nodes[node]?.id ?? "";
  const last = stuck.last[n] as number;
  const pathOf = () => {
    const path = [n];
    while (path.at(-1) !== last && path.length < MAX_STEPS) path.push(stuck.next[path.at(-1) as number] as number);
    return { path, cut: path.at(-1) !== last };
  };
  const end = (stuck.loop[last] as number) >= 0 ? `it loops from "${idOf(last)}" on` : `"${idOf(last)}" has no way out`;
  const count =
    others.length > 0
      ? ` ${countMore(others.length, "node")} ${others.length === 1 ? "has" : "have"} the same cause.`
      : "";
  return {
    message: `No path from "${idOf(n)}" ends the conversation: ${end}.${count} Add a path to an end or transfer node.`,
    at: { node: n },
    why: () => {
      const { path, cut } = pathOf();
      const way = cut ? `${tellPath(flow, path.slice(0, 4))} → … → ${idOf(last)}` : tellPath(flow, path);
      return `Every path from "${idOf(n)}" ends there: ${way}.`;
    },
    related: () => {
      const { path, cut } = pathOf();
      return pathPlaces(flow, [...path.slice(1), ...(cut ? [last] : [])], (id) => `… then "${id}"`);
    },
    ...(others.length > 0 && {
      also: () => others.map((node) => ({ message: `"${idOf(node)}" also leads there.`, at: { node } })),
    }),
  };
}
