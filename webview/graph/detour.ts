/**
 * Finds a way around nodes for an edge that was added after the layout. Drawn directly, it would run below other nodes
 * and look like edges of theirs.
 */
import { around, type Box, boxOf, EDGE_LABEL, meets, NODE, type Places, type Point } from "./geometry";

/** The space between a line and the nodes beside it. */
const GAP = 24;

/** The length of the vertical start and end of a line. */
const LEAD = 28;

/** The most ways to try for an edge. */
const MOST_LANES = 60;

/** With more nodes between the ends, the way around them would be longer than helpful. */
const MOST_NODES = 150;

/** The steps in which a curve is checked. */
const STEPS = 24;

/** The nodes of a layout, sorted by height, so that an edge is only compared with the nodes at its height. */
export class Obstacles {
  readonly #centers: readonly Point[];

  constructor(places: Places) {
    this.#centers = [...places.values()].sort((a, b) => a.y - b.y);
  }

  /** Whether a cubic curve runs below a node that isn't one of its ends. */
  meet(curve: readonly [Point, Point, Point, Point], source: Point, target: Point): boolean {
    const hull = around(curve.map((point) => ({ ...point, width: 0, height: 0 })));
    const boxes = this.#between(hull.y, hull.y + hull.height, [source, target]).filter(
      ({ x, width }) => x < hull.x + hull.width && hull.x < x + width,
    );
    if (boxes.length === 0) return false;
    for (let step = 1; step < STEPS; step++) {
      const point = pointOf(curve, step / STEPS);
      if (boxes.some((box) => contains(box, point))) return true;
    }
    return false;
  }

  /** The points of a way beside the nodes between the ends, or nothing if each way meets one. */
  around(source: Point, target: Point, hasLabel: boolean): Point[] | undefined {
    const isDown = target.y > source.y + NODE.height;
    const top = Math.min(source.y, target.y);
    const bottom = Math.max(source.y, target.y);
    const boxes = this.#between(top, bottom, [source, target]);
    if (boxes.length > MOST_NODES) return undefined;
    const ends = [boxOf(source), boxOf(target)];
    const gap = hasLabel ? EDGE_LABEL.width / 2 + EDGE_LABEL.margin : GAP;
    const middle = (source.x + target.x) / 2;
    const lanes = [...boxes, ...(isDown ? [] : ends)]
      .flatMap((box) => [box.x - gap, box.x + box.width + gap])
      .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    for (const x of lanes.slice(0, MOST_LANES)) {
      const corners = isDown ? downBy(x, source, target) : sideBy(x, source, target);
      if (corners && isFree(corners, boxes)) return corners;
    }
    return isDown ? undefined : this.#pastRow([...boxes, ...ends], source, target);
  }

  /** The points of a way below or above a row of nodes, which no vertical line can pass. */
  #pastRow(row: readonly Box[], source: Point, target: Point): Point[] | undefined {
    const { y: top, height } = around(row);
    for (const y of [top + height + GAP, top - GAP]) {
      const corners = pastBy(y, source, target);
      const boxes = this.#between(Math.min(y, source.y, target.y), Math.max(y, source.y, target.y), [source, target]);
      if (isFree(corners, boxes)) return corners;
    }
    return undefined;
  }

  #between(top: number, bottom: number, ends: readonly Point[]): Box[] {
    const half = NODE.height / 2;
    let from = 0;
    for (let to = this.#centers.length; from < to; ) {
      const at = (from + to) >> 1;
      if ((this.#centers[at] as Point).y + half < top) from = at + 1;
      else to = at;
    }
    const found: Box[] = [];
    for (let at = from; at < this.#centers.length; at++) {
      const center = this.#centers[at] as Point;
      if (center.y - half > bottom) break;
      if (!ends.some(({ x, y }) => x === center.x && y === center.y)) found.push(boxOf(center));
    }
    return found;
  }
}

/** From the bottom of the source to the top of the target. */
function downBy(x: number, source: Point, target: Point): Point[] | undefined {
  const start = { x: source.x, y: source.y + NODE.height / 2 };
  const end = { x: target.x, y: target.y - NODE.height / 2 };
  if (end.y - start.y < 2 * LEAD) return undefined;
  return [start, ...lane(x, start.y + LEAD, end.y - LEAD), end];
}

/** From the side of the source to the side of the target. */
function sideBy(x: number, source: Point, target: Point): Point[] | undefined {
  const [start, end] = [source, target].map((center) => {
    const side = Math.sign(x - center.x);
    return Math.abs(x - center.x) > NODE.width / 2 ? { x: center.x + (side * NODE.width) / 2, y: center.y } : undefined;
  });
  return start && end && [start, ...lane(x, start.y, end.y), end];
}

/**
 * From the bottom of the source to the bottom of the target, or from top to top; beside their centers, where most other
 * edges start and end.
 */
function pastBy(y: number, source: Point, target: Point): Point[] {
  const [start, end] = [source, target].map((center) => ({
    x: center.x + (Math.sign(source.x + target.x - 2 * center.x) * NODE.width) / 4,
    y: center.y + (Math.sign(y - center.y) * NODE.height) / 2,
  })) as [Point, Point];
  // The line is the same as a vertical one, with its axes swapped.
  return [start, ...lane(y, start.x, end.x).map((point) => ({ x: point.y, y: point.x })), end];
}

/** A vertical line with short ends, so that its corners are round but near. */
function lane(x: number, from: number, to: number): Point[] {
  const end = Math.sign(to - from) * Math.min(LEAD, Math.abs(to - from) / 4);
  return [from, from + end, to - end, to].map((y) => ({ x, y }));
}

/** Whether the rounded line through the points meets no box. */
function isFree(points: readonly Point[], boxes: readonly Box[]): boolean {
  return points.slice(1, -1).every((corner, index) => {
    const before = points[index] as Point;
    const after = points[index + 2] as Point;
    const from = index === 0 ? before : between(before, corner);
    const to = index === points.length - 3 ? after : between(corner, after);
    const piece = around([from, corner, to].map((at) => ({ ...at, width: 1, height: 1 })));
    const near = boxes.filter((box) => meets(piece, box));
    if (near.length === 0) return true;
    if (from.x === to.x) return false;
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 8);
    for (let step = 0; step <= steps; step++) {
      const point = pointOf([from, between(from, corner, 2 / 3), between(to, corner, 2 / 3), to], step / steps);
      if (near.some((box) => contains(box, point))) return false;
    }
    return true;
  });
}

function between(from: Point, to: Point, part = 0.5): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function contains({ x, y, width, height }: Box, point: Point): boolean {
  return point.x > x && point.x < x + width && point.y > y && point.y < y + height;
}

function pointOf([a, b, c, d]: readonly [Point, Point, Point, Point], t: number): Point {
  const u = 1 - t;
  const at = (axis: "x" | "y") =>
    u ** 3 * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t ** 3 * d[axis];
  return { x: at("x"), y: at("y") };
}
