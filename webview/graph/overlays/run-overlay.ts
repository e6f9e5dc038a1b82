/** Adds the path of a run to the graph. */
import type { RunPlace } from "../../../debug/messages";
import type { GraphView } from "../../../server/messages";
import { type Box, boxOf } from "../geometry";
import type { Placing } from "../layout/placing";

export function withRun(view: GraphView, way: RunPlace | undefined): GraphView {
  if (!way) return view;
  const here = way.path.at(-1);
  const passed = new Set(way.path);
  const taken = new Set(way.edges);
  const open = new Set(way.asks?.kind === "choice" && way.asks.at === here ? way.asks.choices.map(({ id }) => id) : []);
  return {
    ...view,
    nodes: view.nodes.map((node) =>
      node.id === here ? { ...node, way: "here" } : passed.has(node.id) ? { ...node, way: "passed" } : node,
    ),
    edges: view.edges.map((edge) =>
      edge.source === here && open.has(edge.id)
        ? { ...edge, way: "open" }
        : taken.has(edge.id)
          ? { ...edge, way: "passed" }
          : edge,
    ),
  };
}

/** The nodes of a path that is shown as a whole; none for a run that is followed step by step. */
export function boxesOf(way: RunPlace | undefined, { places }: Placing): Box[] {
  return way?.whole === undefined ? [] : way.path.flatMap((id) => places.get(id) ?? []).map(boxOf);
}
