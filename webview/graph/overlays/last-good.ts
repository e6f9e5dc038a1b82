/**
 * While a file is half typed, parts of it cannot be read. What the picture showed of them stays, marked as unread, until
 * the text can be read again: a picture that comes and goes with every quote is no help.
 */
import type { GraphView, GraphViewEdge } from "../../../server/messages";

export function withLastGood(view: GraphView, good: GraphView | undefined): GraphView {
  if (!view.broken || !good) return view;
  const known = new Set(good.nodes.map((node) => node.id));
  // A line without its colon reads as a node with a strange name and no type: no node the person meant.
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
