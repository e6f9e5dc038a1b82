/** Positions and sizes in graph units (pixels at zoom 1). */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** All nodes have the same size, so that changing a label moves nothing. */
export const NODE = { width: 208, height: 84 } as const;

/** The smallest zoom at which node text (11 pixels) is readable. */
export const READABLE = 0.75;

/** Edge labels have one or two lines. */
export const EDGE_LABEL = { width: 148, line: 14, margin: 4 } as const;

export function labelHeight(lines: number): number {
  return lines === 0 ? 0 : lines * EDGE_LABEL.line + EDGE_LABEL.margin;
}

/** Center points of the nodes, by node ID. */
export type Places = ReadonlyMap<string, Point>;

export function boxOf(center: Point): Box {
  return { x: center.x - NODE.width / 2, y: center.y - NODE.height / 2, ...NODE };
}

/** Returns the node whose box is closest to a point, within `reach`. */
export function nearest(places: Places, point: Point, reach: number): string | undefined {
  let found: string | undefined;
  let least = reach;
  for (const [id, place] of places) {
    const dx = Math.max(0, Math.abs(point.x - place.x) - NODE.width / 2);
    const dy = Math.max(0, Math.abs(point.y - place.y) - NODE.height / 2);
    const distance = Math.hypot(dx, dy);
    if (distance > least || (distance === least && found !== undefined)) continue;
    found = id;
    least = distance;
  }
  return found;
}

export function around(boxes: Iterable<Box>): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return left === Infinity
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

/** The part of a box around a point, with at most this size. */
export function partAround(point: Point, box: Box, most: { readonly width: number; readonly height: number }): Box {
  const width = Math.min(box.width, most.width);
  const height = Math.min(box.height, most.height);
  const within = (low: number, middle: number, high: number) => Math.max(low, Math.min(middle, high));
  return {
    x: within(box.x, point.x - width / 2, box.x + box.width - width),
    y: within(box.y, point.y - height / 2, box.y + box.height - height),
    width,
    height,
  };
}

export function meets(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function holds(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
