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

/** Says how many reachable nodes and edges are covered. */
export function coverageSentence({ nodes }: FlowCoverageView): string {
  const reachable = (all: readonly CoverageView[]) => all.filter(({ state }) => state !== "unreachable");
  const share = (all: readonly CoverageView[]) =>
    `${all.filter(({ state }) => state === "covered").length}/${reachable(all).length}`;
  if (reachable(nodes).length === 0) return t("The flow has no nodes that tests could cover.");
  return t("Covered: {0} nodes, {1} edges", share(nodes), share(nodes.flatMap((node) => node.edges)));
}

function key(node: string, edge: string): string {
  return `${node}\u0000${edge}`;
}
