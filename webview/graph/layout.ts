/**
 * A layered layout, top to bottom, by dagre. Runs in the worker. Edges get the points they run through and a place for
 * their label, for which room is kept.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { EDGE_LABEL, NODE, type Point } from "./geometry";

export interface LayoutRequest {
  readonly ticket: number;
  /** The entry first: dagre ranks from what it sees first. */
  readonly nodes: readonly string[];
  readonly edges: readonly {
    readonly key: string;
    readonly source: string;
    readonly target: string;
    readonly labelled: boolean;
  }[];
}

export interface LayoutAnswer {
  readonly ticket: number;
  readonly places: readonly (readonly [string, Point])[];
  readonly routes: readonly (readonly [string, Route])[];
}

export interface Route {
  readonly points: readonly Point[];
  readonly label: Point | undefined;
}

export function arrange(request: LayoutRequest): LayoutAnswer {
  const graph = new Graph({ multigraph: true });
  // Network simplex gives the shortest edges but takes seconds on large graphs.
  const ranker = request.nodes.length > 400 ? "longest-path" : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 48, ranksep: 56, edgesep: 24, marginx: 24, marginy: 24, ranker });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of request.nodes) graph.setNode(id, { ...NODE });
  for (const edge of request.edges)
    graph.setEdge(
      edge.source,
      edge.target,
      edge.labelled ? { ...EDGE_LABEL, labelpos: "c" } : { width: 0, height: 0 },
      edge.key,
    );
  layout(graph);
  return {
    ticket: request.ticket,
    places: request.nodes.map((id) => {
      const { x, y } = graph.node(id) as Point;
      return [id, { x, y }] as const;
    }),
    routes: request.edges.map((edge) => {
      const { points, x, y } = graph.edge(edge.source, edge.target, edge.key) as {
        points: Point[];
        x?: number;
        y?: number;
      };
      const label = x === undefined || y === undefined ? undefined : { x, y };
      return [edge.key, { points: points.map((point) => ({ x: point.x, y: point.y })), label }] as const;
    }),
  };
}
