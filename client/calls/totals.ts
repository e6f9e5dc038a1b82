/** Adds up portions of traced calls. */
import type { CallCountView, CallsView } from "../../server/test-messages";

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

/** `b` is the later portion: if the flow was edited in between, its nodes and edges are those of the flow now. */
export function plusCalls(a: CallsView, b: CallsView): CallsView {
  const nodesBefore = new Map(a.nodes.map((node) => [node.id, node]));
  const nodes = b.nodes.map((node) => ({ ...node, ...plusCounts(nodesBefore.get(node.id), node) }));
  const keyOf = ({ source, id }: CallsView["edges"][number]) => JSON.stringify([source, id]);
  const edgesBefore = new Map(a.edges.map((edge) => [keyOf(edge), edge]));
  const edges = b.edges.map((edge) => ({ ...edge, ...plusCounts(edgesBefore.get(keyOf(edge)), edge) }));
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

function plusCounts(a: CallCountView | undefined, b: CallCountView): CallCountView {
  if (!a) return b;
  return {
    calls: a.calls + b.calls,
    left: a.left + b.left,
    ids: [...a.ids, ...b.ids].slice(0, MAX_LISTED),
    leftIds: [...a.leftIds, ...b.leftIds].slice(0, MAX_LISTED),
  };
}
