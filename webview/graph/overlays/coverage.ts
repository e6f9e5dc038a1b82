/** Adds test coverage to the graph. */

import type { GraphView } from "../../../server/messages";
import type { CoverageView, FlowCoverageView } from "../../../server/test-messages";
import { t } from "../../page/l10n";

/** Nodes and edges without coverage data, such as new ones, get no mark. */
export function withCoverage(view: GraphView, coverage: FlowCoverageView | undefined): GraphView {
  if (!coverage) return view;
  const nodes = new Map(coverage.nodes.map((node) => [node.id, node]));
  const edges = new Map(coverage.nodes.flatMap((node) => node.edges.map((edge) => [key(node.id, edge.id), edge])));
  const coverOf = (known: CoverageView | undefined) => (known ? { cover: known.state } : {});
  return {
    ...view,
    nodes: view.nodes.map((node) => ({ ...node, ...coverOf(nodes.get(node.id)) })),
    edges: view.edges.map((edge) => ({ ...edge, ...coverOf(edges.get(key(edge.source, edge.id))) })),
  };
}

/** Summarizes how many reachable nodes are covered. */
export function coverageWords({ nodes }: FlowCoverageView): string {
  const share = (all: readonly CoverageView[]) => {
    const covered = all.filter(({ state }) => state === "covered").length;
    return `${covered}/${all.filter(({ state }) => state !== "unreachable").length}`;
  };
  return t("{0} nodes, {1} edges", share(nodes), share(nodes.flatMap((node) => node.edges)));
}

function key(node: string, edge: string): string {
  return `${node}\u0000${edge}`;
}
