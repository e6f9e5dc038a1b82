/** Computes the shape and bounding box of every edge. */
import type { GraphView, GraphViewEdge } from "../../server/messages";
import { type Curve, curve } from "./curves";
import { around, type Box, boxOf } from "./geometry";
import { edgeKeys, type Placing } from "./layout/placing";

export interface ShapedEdge {
  readonly edge: GraphViewEdge;
  readonly key: string;
  readonly shape: Curve;
  readonly box: Box;
  readonly ends: readonly Box[];
}

/** An edge to an unknown node ends below its source. */
export function shapeEdges(view: GraphView, { places, routes }: Placing): ShapedEdge[] {
  const keys = edgeKeys(view);
  const siblings = new Map<string, number>();
  return view.edges.flatMap((edge, index) => {
    const key = keys[index] as string;
    const source = places.get(edge.source);
    if (!source) return [];
    const target = places.get(edge.target) ?? { x: source.x + 110 + (index % 3) * 20, y: source.y + 130 };
    const pair = `${edge.source}\u0000${edge.target}`;
    const sibling = siblings.get(pair) ?? 0;
    siblings.set(pair, sibling + 1);
    const shape = curve(source, target, routes.get(key), sibling);
    const ends = [boxOf(source), boxOf(target)];
    const label = { x: shape.label.x - 80, y: shape.label.y - 18, width: 160, height: 36 };
    const line = shape.hull.map((point) => ({ ...point, width: 0, height: 0 }));
    return [{ edge, key, shape, ends, box: around([...ends, label, ...line]) }];
  });
}
