import type { Analysis } from "../analysis";
import { isName } from "../grammar";
import { didYouMean, doesNotExist, isTypo, nearest } from "../wording";
import { addNode } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

/** Suggestions compare all IDs, so only the first few targets get one. */
const MAX_SUGGESTIONS = 16;

export const unknownTarget: Rule = {
  code: "unknown-target",
  severity: "error",
  title: "Unknown target",
  checkGraph(flow, report) {
    let suggested = 0;
    unknownTargets(flow, (node, edge, to) => {
      const near = suggested++ < MAX_SUGGESTIONS ? nearest(to, ids(flow)) : undefined;
      const advice = near ? didYouMean(near) : "Use the ID of a node in this file, or add the node.";
      report({ message: `${doesNotExist("Node", to)} ${advice}`, at: { node, edge }, data: { to } });
    });
  },
  fixes({ span, data }, document) {
    const { to } = data as { to: string };
    const near = nearest(
      to,
      document.nodes.map((node) => node.id),
    );
    return [
      ...fixWith(
        `Replace with "${near}"`,
        near ? { ...span, text: near } : undefined,
        near !== undefined && isTypo(to, near),
      ),
      ...fixWith(`Add node "${to}"`, isName(to) ? addNode(document, to, [["type", "end"]]) : undefined),
    ];
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
