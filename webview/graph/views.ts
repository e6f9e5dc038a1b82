/** Viewport positions, as pan and zoom, that show certain parts of the graph. */
import { around, type Box, holds, type Point, READABLE } from "./geometry";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The window size in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

const NOTHING: Room = { width: 0, height: 0 };

/** Free space around the content, in pixels. */
const MARGIN = 24;

/** The visible part of the graph. */
export function seenIn({ x, y, scale }: View, { width, height }: Room): Box {
  return { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
}

/** Fits everything, at 100 % at most. */
export function fitted(boxes: Iterable<Box>, { width, height }: Room, least = 0): View {
  const whole = around(boxes);
  const scale = Math.min(1, (width - 2 * MARGIN) / whole.width, (height - 2 * MARGIN) / whole.height);
  const used = Math.max(least, scale);
  return {
    x: (width - whole.width * used) / 2 - whole.x * used,
    y: Math.max(MARGIN, (height - whole.height * used) / 2) - whole.y * used,
    scale: used,
  };
}

/** The first view: everything if it is readable, else `point` near the top at 100 %. */
export function started(point: Point, boxes: readonly Box[], room: Room): View {
  const all = fitted(boxes, room);
  if (all.scale >= READABLE) return all;
  const whole = around(boxes);
  const rightmost = MARGIN - whole.x;
  const leftmost = room.width - MARGIN - whole.x - whole.width;
  // As centered as possible without an empty margin.
  const x = Math.max(leftmost, Math.min(rightmost, room.width / 2 - point.x));
  return { x: leftmost > rightmost ? (leftmost + rightmost) / 2 : x, y: 64 - point.y, scale: 1 };
}

/** Centers the box at the editor's cursor, unless the whole graph is visible. */
export function followed(view: View, box: Box, boxes: readonly Box[], room: Room): View {
  return holds(seenIn(view, room), around(boxes)) ? view : centered(box, view.scale, room);
}

/** Shows a search result at a readable zoom. */
export function found(view: View, box: Box, room: Room, covered?: Room): View {
  return view.scale >= READABLE ? revealed(view, box, room, covered) : centered(box, 1, room);
}

/** Moves a box into view by the smallest distance, or to the center if it would be in the covered lower right corner. */
export function revealed(view: View, box: Box, room: Room, covered: Room = NOTHING): View {
  const near = nearest(view, box, room);
  const right = (box.x + box.width) * near.scale + near.x;
  const bottom = (box.y + box.height) * near.scale + near.y;
  const isCovered = right > room.width - covered.width && bottom > room.height - covered.height;
  return isCovered ? centered(box, view.scale, room) : near;
}

function nearest(view: View, box: Box, { width, height }: Room): View {
  const { x, y, scale } = view;
  const nearer = (low: number, size: number, room: number) =>
    low < MARGIN ? MARGIN - low : low + size > room - MARGIN ? room - MARGIN - low - size : 0;
  const dx = nearer(box.x * scale + x, box.width * scale, width);
  const dy = nearer(box.y * scale + y, box.height * scale, height);
  return dx === 0 && dy === 0 ? view : { x: x + dx, y: y + dy, scale };
}

/** Centers a box; shows the upper left corner of one larger than the window. */
function centered(box: Box, scale: number, { width, height }: Room): View {
  const start = (room: number, from: number, size: number) =>
    size * scale > room - 2 * MARGIN ? MARGIN - from * scale : (room - size * scale) / 2 - from * scale;
  return { x: start(width, box.x, box.width), y: start(height, box.y, box.height), scale };
}
