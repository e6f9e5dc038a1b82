/** Computes the shape of every edge: its path, its bounding box and the position of its label. */
import type { GraphView, GraphViewEdge } from "../../server/messages";
import { Obstacles } from "./detour";
import { around, type Box, boxOf, EDGE_LABEL, labelHeight, NODE, type Point } from "./geometry";
import type { Route } from "./layout/layout-messages";
import { edgeKeys, type Placing } from "./layout/placing";

export interface ShapedEdge {
  readonly edge: GraphViewEdge;
  readonly key: string;
  readonly shape: Curve;
  readonly box: Box;
  readonly ends: readonly Box[];
}

/** With more edges without a route, all of them are drawn directly, so that an edit doesn't take long to draw. */
const MOST_DETOURS = 60;

/** An edge to an unknown node ends below its source. */
export function shapeEdges(view: GraphView, { places, routes }: Placing): ShapedEdge[] {
  const keys = edgeKeys(view);
  const added = keys.filter((key) => !routes.has(key)).length;
  const obstacles = added <= MOST_DETOURS ? new Obstacles(places) : undefined;
  const siblings = new Map<string, number>();
  return view.edges.flatMap((edge, index) => {
    const key = keys[index] as string;
    const source = places.get(edge.source);
    if (!source) return [];
    const target = places.get(edge.target) ?? { x: source.x + 110 + (index % 3) * 20, y: source.y + 130 };
    const pair = `${edge.source}\u0000${edge.target}`;
    const sibling = siblings.get(pair) ?? 0;
    siblings.set(pair, sibling + 1);
    const shape = curve(source, target, routes.get(key), sibling, obstacles, Boolean(edge.label));
    const ends = [boxOf(source), boxOf(target)];
    const label = { x: shape.label.x - 80, y: shape.label.y - 18, width: 160, height: 36 };
    const line = shape.hull.map((point) => ({ ...point, width: 0, height: 0 }));
    return [{ edge, key, shape, ends, box: around([...ends, label, ...line]) }];
  });
}

export interface Curve {
  readonly path: string;
  readonly label: Point;
  /** The path stays within the convex hull of these points. */
  readonly hull: readonly Point[];
}

/** An edge without a route goes straight to its target, or around the nodes that it would cross. */
export function curve(
  source: Point,
  target: Point,
  route: Route | undefined,
  sibling: number,
  obstacles?: Obstacles,
  hasLabel = false,
): Curve {
  if (route && connects(route, source, target))
    return { path: smooth(route.points), label: route.label ?? middle(route.points), hull: route.points };
  if (source.x === target.x && source.y === target.y) return loop(source);
  const { bends, ...direct } =
    target.y > source.y + NODE.height ? down(source, target, sibling) : back(source, target, sibling);
  const points = obstacles?.meet(bends, source, target) ? obstacles.around(source, target, hasLabel) : undefined;
  return points ? { path: smooth(points), label: center(points), hull: points } : direct;
}

/** Whether a route still starts and ends at its nodes. */
function connects({ points }: Route, source: Point, target: Point): boolean {
  const first = points[0];
  const last = points.at(-1);
  return (
    points.length > 1 && first !== undefined && last !== undefined && touches(first, source) && touches(last, target)
  );
}

function touches(point: Point, center: Point): boolean {
  return Math.abs(point.x - center.x) <= NODE.width / 2 + 1 && Math.abs(point.y - center.y) <= NODE.height / 2 + 1;
}

/** A smooth path through the points of a layout. */
function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points as [Point, ...Point[]];
  if (rest.length === 1) return `M${at(first)}L${at(rest[0] as Point)}`;
  let path = `M${at(first)}`;
  for (let i = 0; i < rest.length - 1; i++) {
    const here = rest[i] as Point;
    const next = rest[i + 1] as Point;
    const end = i === rest.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 };
    path += `Q${at(here)} ${at(end)}`;
  }
  return path;
}

/** A cubic curve with its control points. */
type Direct = Curve & { readonly bends: readonly [Point, Point, Point, Point] };

function down(source: Point, target: Point, sibling: number): Direct {
  const start = { x: source.x + offset(sibling), y: source.y + NODE.height / 2 };
  const end = { x: target.x + offset(sibling), y: target.y - NODE.height / 2 };
  const bend = Math.max(24, (end.y - start.y) / 2);
  const one = { x: start.x, y: start.y + bend };
  const two = { x: end.x, y: end.y - bend };
  return {
    path: `M${at(start)}C${at(one)} ${at(two)} ${at(end)}`,
    label: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
    hull: [start, end],
    bends: [start, one, two, end],
  };
}

/** To a node beside or above: leaves and enters at the side. */
function back(source: Point, target: Point, sibling: number): Direct {
  const right = target.x >= source.x;
  const side = right ? 1 : -1;
  const start = { x: source.x + (side * NODE.width) / 2, y: source.y + sibling * 8 };
  const facing = Math.abs(target.x - source.x) > NODE.width;
  const end = { x: target.x + ((facing ? -side : side) * NODE.width) / 2, y: target.y };
  const reach = facing ? Math.abs(end.x - start.x) / 2 : 64 + sibling * 12;
  const one = { x: start.x + side * reach, y: start.y };
  const two = { x: end.x + (facing ? -side : side) * reach, y: end.y };
  // Between two nodes of a row, the label wouldn't fit.
  const isNarrow = facing && Math.abs(end.x - start.x) < EDGE_LABEL.width && Math.abs(end.y - start.y) < NODE.height;
  const below = isNarrow ? (Math.abs(end.y - start.y) + NODE.height + labelHeight(2)) / 2 + EDGE_LABEL.margin : 0;
  return {
    path: `M${at(start)}C${at(one)} ${at(two)} ${at(end)}`,
    label: {
      x: (start.x + 3 * one.x + 3 * two.x + end.x) / 8,
      y: (start.y + 3 * one.y + 3 * two.y + end.y) / 8 + below,
    },
    hull: [start, one, two, end],
    bends: [start, one, two, end],
  };
}

function loop(place: Point): Curve {
  const start = { x: place.x + NODE.width / 2, y: place.y - 12 };
  const end = { x: place.x + NODE.width / 2, y: place.y + 12 };
  return {
    path: `M${at(start)}C${at({ x: start.x + 72, y: start.y - 28 })} ${at({ x: end.x + 72, y: end.y + 28 })} ${at(end)}`,
    label: { x: start.x + EDGE_LABEL.width / 2 + EDGE_LABEL.margin, y: place.y },
    hull: [start, { x: start.x + 72, y: place.y }],
  };
}

function offset(sibling: number): number {
  return sibling === 0 ? 0 : Math.ceil(sibling / 2) * 14 * (sibling % 2 === 0 ? 1 : -1);
}

/** The center of the long part of a detour. */
function center(points: readonly Point[]): Point {
  const [from, to] = [points[1], points.at(-2)] as [Point, Point];
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

function middle(points: readonly Point[]): Point {
  return points[Math.floor(points.length / 2)] as Point;
}

function at(point: Point): string {
  return `${Math.round(point.x * 10) / 10},${Math.round(point.y * 10) / 10}`;
}
