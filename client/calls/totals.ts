/** Adds up portions of traced calls. */
import type { CallCountView, CallsView } from "../../server/test-messages";

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

export function plusCalls(a: CallsView, b: CallsView): CallsView {
  const nodes = a.nodes.map((node, index) => ({ ...node, ...plusCounts(node, b.nodes[index]) }));
  const edges = a.edges.map((edge, index) => ({ ...edge, ...plusCounts(edge, b.edges[index]) }));
  const listed = new Set([...nodes, ...edges].flatMap(({ ids, leftIds }) => [...ids, ...leftIds]));
  const rows = Object.entries({ ...a.rows, ...b.rows }).filter(([id]) => listed.has(id));
  return {
    calls: a.calls + b.calls,
    placed: a.placed + b.placed,
    partly: a.partly + b.partly,
    unplaced: a.unplaced + b.unplaced,
    rows: Object.fromEntries(rows),
    nodes,
    edges,
  };
}

function plusCounts(a: CallCountView, b: CallCountView | undefined): CallCountView {
  if (!b) return a;
  return {
    calls: a.calls + b.calls,
    left: a.left + b.left,
    ids: [...a.ids, ...b.ids].slice(0, MAX_LISTED),
    leftIds: [...a.leftIds, ...b.leftIds].slice(0, MAX_LISTED),
  };
}
