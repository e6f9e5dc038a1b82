/**
 * Keeps parts of the graph that can't be parsed while the user types. They stay as they were, marked as unread, so that
 * the graph doesn't flicker with every quote.
 */
import type { GraphView, GraphViewEdge } from "../../../server/messages";

export function withLastGood(view: GraphView, good: GraphView | undefined): GraphView {
  if (!view.broken || !good) return view;
  const known = new Set(good.nodes.map((node) => node.id));
  // A line without a colon parses as a node with an odd name and no type; ignore it.
  const read = view.nodes.filter((node) => known.has(node.id) || node.type !== undefined);
  const there = new Set(read.map((node) => node.id));
  const unread = good.nodes.filter((node) => !there.has(node.id) && node.change !== "removed");
  const broken = new Set([...unread, ...read.filter((node) => node.errors > 0)].map((node) => node.id));
  const shown = new Set([...there, ...unread.map((node) => node.id)]);
  const edges = view.edges.filter((edge) => there.has(edge.source));
  const kept = new Set(edges.map(nameOf));
  const lost = good.edges.filter(
    (edge) => broken.has(edge.source) && !kept.has(nameOf(edge)) && edge.change !== "removed",
  );
  return {
    ...view,
    entry: view.entry ?? good.entry,
    ...(view.comparison && good.comparison ? { comparison: good.comparison } : {}),
    nodes: [...read, ...unread.map((node) => ({ ...node, unread: true }))],
    edges: [
      ...edges.map((edge) => ({ ...edge, dangling: edge.dangling && !shown.has(edge.target) })),
      ...lost.map((edge) => ({ ...edge, unread: true })),
    ],
  };
}

function nameOf(edge: GraphViewEdge): string {
  return `${edge.source}\u0000${edge.id}`;
}
