/** Checks that a merged graph contains every change of a side. */
import { matchEdges } from "../graph/edge-match";
import { edgesBySource, sameElement, sameJson } from "../graph/equal";
import type { Graph, GraphEdge } from "../graph/graph";

type Element = Readonly<Record<string, unknown>>;

/** A removed element may exist again through the other side's change; a written one must exist. */
export function keepsChanges(base: Graph, side: Graph, result: Graph): boolean {
  const tops = (["persona", "entry"] as const).every((key) => side[key] === base[key] || side[key] === result[key]);
  const has = ({ outputs }: Graph, output: object) => outputs.some((other) => sameJson(other, output));
  return (
    tops &&
    side.outputs.every((output) => has(base, output) || has(result, output)) &&
    [...side.nodes].every(([id, node]) => isKept(node, base.nodes.get(id), result.nodes.get(id))) &&
    [...side.variables].every(([id, variable]) => isKept(variable, base.variables.get(id), result.variables.get(id))) &&
    keepsEdges(base, side, result)
  );
}

function keepsEdges(base: Graph, side: Graph, result: Graph): boolean {
  const [before, after] = [edgesBySource(base), edgesBySource(result)];
  return [...edgesBySource(side)].every(([source, edges]) => {
    const [old, merged] = [before.get(source) ?? [], after.get(source) ?? []];
    const was = new Map(matchEdges(old, edges).pairs.map((pair) => [pair.after, old[pair.before]]));
    const is = new Map(matchEdges(edges, merged).pairs.map((pair) => [pair.before, merged[pair.after]]));
    return edges.every((edge, place) => isKept(nameless(edge), nameless(was.get(place)), nameless(is.get(place))));
  });
}

function isKept(wanted: Element, before: Element | undefined, after: Element | undefined): boolean {
  if (!after) return before !== undefined && sameElement(before, wanted);
  return Object.keys(wanted).every((name) => same(wanted, before, name) || same(wanted, after, name));
}

/** Derived IDs change with the list. */
function nameless<T extends GraphEdge | undefined>(edge: T): T {
  return edge && { ...edge, id: "" };
}

function same(one: Element, other: Element | undefined, field: string): boolean {
  return sameJson(one[field] ?? null, other?.[field] ?? null);
}
