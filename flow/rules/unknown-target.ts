import type { Analysis } from "../analysis";
import { isName } from "../grammar";
import { nearest } from "../near";
import { addNode } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";

/** Looking for the id that was meant takes a walk over all ids, so it is done for the first few only. */
const MAX_SUGGESTIONS = 16;

export const unknownTarget: Rule = {
  code: "unknown-target",
  severity: "error",
  title: "An edge leads to a node that does not exist",
  checkGraph(flow, report) {
    let suggested = 0;
    unknownTargets(flow, (node, edge, to) => {
      const near = suggested++ < MAX_SUGGESTIONS ? nearest(to, ids(flow)) : undefined;
      const advice = near ? `Did you mean "${near}"?` : "Write the ID of a node of this file, or add the node.";
      report({ message: `No node has the ID "${to}". ${advice}`, at: { node, edge }, data: { to } });
    });
  },
  fixes({ span, data }, document) {
    const { to } = data as { to: string };
    const near = nearest(
      to,
      document.nodes.map((node) => node.id),
    );
    const fixes: Fix[] = [];
    if (near) fixes.push({ title: `Change to "${near}"`, edits: [{ ...span, text: near }], preferred: true });
    const added = isName(to) ? addNode(document, to, [["type", "end"]]) : undefined;
    if (added) fixes.push({ title: `Add the node "${to}"`, edits: [added] });
    return fixes;
  },
};

export function unknownTargets(flow: Analysis, visit: (node: number, edge: number, to: string) => void): void {
  const { out, parts, nodes } = flow;
  for (let n = 0; n < parts.length; n++) {
    const count = parts[n]?.targets.length ?? 0;
    if ((out.start[n + 1] as number) - (out.start[n] as number) === count) continue;
    for (const edge of nodes[n]?.edges ?? [])
      if (edge.to !== undefined && flow.indexOf(edge.to) < 0 && !flow.document.mayHold(edge.to))
        visit(n, edge.index, edge.to);
  }
}

function* ids(flow: Analysis): Generator<string> {
  for (const node of flow.nodes) yield node.id;
}
