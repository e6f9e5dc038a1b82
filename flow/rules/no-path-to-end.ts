import { reach } from "../analysis";
import { pathPlaces, tellPath } from "./paths";
import type { Rule } from "./rule";
import { stuckIn } from "./stuck";
import { waysOut } from "./way-out";

const MAX_STEPS = 8;

/**
 * Reported where the way is lost: at the entry, or at a node that the one before it could still have avoided. Nodes
 * further on are stuck for the same reason, and dead ends and endless loops have rules of their own.
 */
export const noPathToEnd: Rule = {
  code: "no-path-to-end",
  severity: "warning",
  title: "From a node the conversation can never end",
  checkGraph(flow, report) {
    const stuck = flow.entry < 0 ? undefined : stuckIn(flow);
    if (!stuck) return;
    const { nodes, entry } = flow;
    const reached = reach(flow.out, [entry]);
    for (let n = 0; n < nodes.length; n++) {
      const last = stuck.last[n] as number;
      if (stuck.canEnd[n] || !reached[n] || last === n) continue;
      const callers = flow.in.to.subarray(flow.in.start[n], flow.in.start[n + 1]);
      if (n !== entry && !callers.some((caller) => stuck.canEnd[caller] && reached[caller])) continue;
      const path = [n];
      while (path.at(-1) !== last && path.length < MAX_STEPS) path.push(stuck.next[path.at(-1) as number] as number);
      const id = nodes[last]?.id;
      const told = path.at(-1) === last ? tellPath(flow, path) : `${tellPath(flow, path.slice(0, 4))} → … → ${id}`;
      const end =
        (stuck.loop[last] as number) >= 0 ? `from "${id}" on it goes round in a loop` : `"${id}" leads nowhere`;
      report({
        message: `Once at "${nodes[n]?.id}", the conversation can never end: ${told}; ${end}. Lead it to an end or a transfer node.`,
        at: { node: n },
        related: pathPlaces(flow, path.slice(1), (step) => `… then "${step}"`),
      });
    }
  },
  fixes: waysOut,
};
