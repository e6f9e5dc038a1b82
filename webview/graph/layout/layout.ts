/**
 * A layered layout, top to bottom, by dagre. Runs in the worker. Edges get the points they run through and a place for
 * their label, for which room is kept.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { EDGE_LABEL, labelHeight, NODE, type Point } from "../geometry";
import { columns } from "./columns";
import type { LayoutAnswer, LayoutRequest } from "./layout-messages";
import { ranksOf } from "./ranks";

type Edge = LayoutRequest["edges"][number];

/** Nodes, and places where edges pass by nodes, up to which everything takes part in the layout. */
const ROOM = 240;

/** In a larger flow only edges that lead so many levels down or up take part; the rest is drawn from end to end. */
const REACH = 2;

export function arrange(request: LayoutRequest): LayoutAnswer {
  return columns(layered(request), request);
}

function layered(request: LayoutRequest): LayoutAnswer {
  // A loop from a node to itself needs no room, and dagre stumbles over it.
  const edges = request.edges.filter(({ source, target }) => source !== target);
  const ranks = ranksOf(request.nodes, edges);
  const levels = ({ source, target }: Edge) => (ranks.get(target) ?? 0) - (ranks.get(source) ?? 0);
  // The work grows with the levels that edges cross: a flow with many long ways would take minutes.
  const work = edges.reduce((sum, edge) => sum + Math.abs(levels(edge)), request.nodes.length);
  const near = edges.filter((edge) => levels(edge) !== 0 && Math.abs(levels(edge)) <= REACH);
  try {
    if (work <= ROOM) return lay(request, edges, undefined);
    const downwards = near.map((edge) =>
      levels(edge) < 0 ? { ...edge, source: edge.target, target: edge.source } : edge,
    );
    return lay(request, downwards, ranks);
  } catch {
    // A graph the library cannot lay out is still a graph to show.
    return inRows(request, ranks);
  }
}

/** One row for each level, in the order of the file. */
export function inRows(request: LayoutRequest, ranks: ReadonlyMap<string, number>): LayoutAnswer {
  const filled = new Map<number, number>();
  const places = request.nodes.map((id) => {
    const rank = ranks.get(id) ?? 0;
    const column = filled.get(rank) ?? 0;
    filled.set(rank, column + 1);
    return [id, { x: column * (NODE.width + 48), y: rank * (NODE.height + 72) }] as const;
  });
  return { ticket: request.ticket, places, routes: [] };
}

/** `ranks` where they are known already; else dagre finds those with the shortest edges. */
function lay(request: LayoutRequest, edges: readonly Edge[], ranks: ReadonlyMap<string, number> | undefined) {
  const graph = new Graph({ multigraph: true });
  // Dagre keeps every second level for the labels of edges.
  const ranker = (inside: typeof graph) => {
    for (const id of inside.nodes()) (inside.node(id) as { rank?: number }).rank = 2 * (ranks?.get(id) ?? 0);
  };
  graph.setGraph({
    ...{ rankdir: "TB", nodesep: 48, ranksep: 56, edgesep: 24, marginx: 24, marginy: 24 },
    // A function is taken as well, though the types know only names.
    ranker: ranks ? (ranker as unknown as string) : "network-simplex",
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of request.nodes) graph.setNode(id, { ...NODE });
  for (const { source, target, key, labelLines } of edges) {
    const label = { width: EDGE_LABEL.width, height: labelHeight(labelLines), labelpos: "c" };
    graph.setEdge(source, target, labelLines > 0 ? label : { width: 0, height: 0 }, key);
  }
  layout(graph);
  const given = new Map(request.edges.map((edge) => [edge.key, edge]));
  return {
    ticket: request.ticket,
    places: request.nodes.map((id) => {
      const { x, y } = graph.node(id) as Point;
      return [id, { x, y }] as const;
    }),
    routes: edges.map((edge) => {
      const { points, x, y } = graph.edge(edge.source, edge.target, edge.key) as {
        points: Point[];
        x?: number;
        y?: number;
      };
      const label = x === undefined || y === undefined ? undefined : { x, y };
      const way = points.map((point) => ({ x: point.x, y: point.y }));
      if (given.get(edge.key)?.source !== edge.source) way.reverse();
      return [edge.key, { points: way, label }] as const;
    }),
  };
}
