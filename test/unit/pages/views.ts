/** Views of flows for tests of the graph page. */
import { FlowDocument, type Graph, type Problem } from "../../../flow";
import { compareGraphs, graphView } from "../../../server/features/graph/graph-view";
import type { GraphView } from "../../../server/messages";

export function viewOf(text: string, base?: Graph, problems?: readonly Problem[]): GraphView {
  const document = FlowDocument.read(text);
  return graphView(
    document,
    1,
    problems ?? document.problems.map((problem) => ({ ...problem, severity: "error" })),
    base && compareGraphs(base, document),
  );
}

/** `a>b a>c b>d` as a flow; the first node is the entry. */
export function flowOfArrows(arrows: string, more = ""): string {
  const pairs = arrows.split(" ").map((arrow) => arrow.split(">") as [string, string?]);
  const ids = [...new Set(pairs.flat().filter((id): id is string => id !== undefined))];
  const nodes = ids.map((id) => {
    const edges = pairs.filter(([from, to]) => from === id && to !== undefined);
    const list = edges.map(([, to], index) => `      - {id: ${id}_${index}, to: ${to}}\n`).join("");
    return `  ${id}:\n    type: message\n    instructions: Say ${id}.\n${list ? `    edges:\n${list}` : ""}`;
  });
  return `entry: ${ids[0]}\nnodes:\n${nodes.join("")}${more}`;
}
