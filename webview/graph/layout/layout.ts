/**
 * Layered layout, top to bottom, by dagre. Runs in the worker. Edges get points to pass through and space for their
 * label.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { EDGE_LABEL, labelHeight, NODE, type Point } from "../geometry";
import { columns } from "./columns";
import type { LayoutAnswer, LayoutRequest } from "./layout-messages";
import { ranksOf } from "./ranks";

type Edge = LayoutRequest["edges"][number];

/** The size up to which all edges take part in the layout: nodes plus the levels that edges span. */
const ROOM = 240;

/** In a larger flow, only edges that span at most this many levels take part; the others are drawn directly. */
const REACH = 2;

export function arrange(request: LayoutRequest): LayoutAnswer {
  return columns(layered(request), request);
}

function layered(request: LayoutRequest): LayoutAnswer {
  // Self-loops need no space, and dagre fails on them.
  const edges = request.edges.filter(({ source, target }) => source !== target);
  const ranks = ranksOf(request.nodes, edges);
  const levels = ({ source, target }: Edge) => (ranks.get(target) ?? 0) - (ranks.get(source) ?? 0);
  // Time grows with the levels that edges span; long edges could take minutes.
  const work = edges.reduce((sum, edge) => sum + Math.abs(levels(edge)), request.nodes.length);
  const near = edges.filter((edge) => levels(edge) !== 0 && Math.abs(levels(edge)) <= REACH);
  try {
    if (work <= ROOM) return runDagre(request, edges, undefined);
    const downwards = near.map((edge) =>
      levels(edge) < 0 ? { ...edge, source: edge.target, target: edge.source } : edge,
    );
    return runDagre(request, downwards, ranks);
  } catch {
    // If dagre fails, show the nodes in rows.
    return inRows(request, ranks);
  }
}

/** Places one row per level, in the order of the file. */
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

/** Lays out with the given ranks, or lets dagre choose those with the shortest edges. */
function runDagre(request: LayoutRequest, edges: readonly Edge[], ranks: ReadonlyMap<string, number> | undefined) {
  const graph = new Graph({ multigraph: true });
  // Dagre reserves every second level for edge labels.
  const ranker = (inside: typeof graph) => {
    for (const id of inside.nodes()) (inside.node(id) as { rank?: number }).rank = 2 * (ranks?.get(id) ?? 0);
  };
  graph.setGraph({
    ...{ rankdir: "TB", nodesep: 48, ranksep: 56, edgesep: 24, marginx: 24, marginy: 24 },
    // dagre also accepts a function, although its types only allow names.
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
