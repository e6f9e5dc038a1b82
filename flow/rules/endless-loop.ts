import { reach, wayTo } from "../graph/links";
import { pathPlaces, tellPath } from "./analyses/paths";
import { stuckIn } from "./analyses/stuck";
import { waysOut } from "./analyses/way-out";
import type { Rule } from "./engine/rule";

export const endlessLoop: Rule = {
  code: "endless-loop",
  severity: "warning",
  title: "Endless loop",
  checkGraph(flow, report) {
    const stuck = stuckIn(flow);
    if (!stuck) return;
    const { nodes, out, entry } = flow;
    const reached = entry < 0 ? undefined : reach(out, [entry]);
    const sizes = new Map<number, number>();
    for (const loop of stuck.loop) sizes.set(loop, (sizes.get(loop) ?? 0) + 1);
    const reported = new Set<number>();
    for (let n = 0; n < nodes.length; n++) {
      const loop = stuck.loop[n] as number;
      if (loop < 0 || reported.has(loop) || (reached && !reached[n])) continue;
      reported.add(loop);
      const cycle = wayTo(
        out,
        n,
        (at) => at === n,
        (at) => stuck.loop[at] === loop,
      );
      if (!cycle) continue;
      // `self-loop-without-condition` reports a node that only points to itself.
      const alone = cycle.length === 2 && nodes[n]?.edges.some((edge) => edge.isDefault && edge.to === nodes[n]?.id);
      if (alone) continue;
      const members = sizes.get(loop) ?? 0;
      const more = members > cycle.length - 1 ? ` (${members} nodes in all)` : "";
      report({
        message: `The conversation never leaves this loop${more}: ${tellPath(flow, cycle)}. Add an edge that leaves the loop.`,
        at: { node: n },
        related: () => pathPlaces(flow, cycle.slice(1, -1), (id) => `… then "${id}"`),
      });
    }
  },
  fixes: waysOut,
};
