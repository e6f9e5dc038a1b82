/** What part of the picture is seen, as a pan and a zoom, and which one shows what. */
import { around, type Box, holds, type Point, READABLE } from "./geometry";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The window, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Free space at the edges of the window, in pixels. */
const MARGIN = 24;

/** The part of the picture that is on the screen. */
export function seenIn({ x, y, scale }: View, { width, height }: Room): Box {
  return { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
}

/** Everything at once, at 100 % at most. */
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

/** Everything, where it can be read then; else the beginning at 100 %, with `point` near the upper edge. */
export function started(point: Point, boxes: readonly Box[], room: Room): View {
  const all = fitted(boxes, room);
  if (all.scale >= READABLE) return all;
  const whole = around(boxes);
  const rightmost = MARGIN - whole.x;
  const leftmost = room.width - MARGIN - whole.x - whole.width;
  // As near to the middle as leaves no empty margin.
  const x = Math.max(leftmost, Math.min(rightmost, room.width / 2 - point.x));
  return { x: leftmost > rightmost ? (leftmost + rightmost) / 2 : x, y: 64 - point.y, scale: 1 };
}

/** The editor's cursor is on this box, which comes to the middle. Where the whole picture is in sight nothing moves. */
export function followed(view: View, box: Box, boxes: readonly Box[], room: Room): View {
  return holds(seenIn(view, room), around(boxes)) ? view : centered(box, view.scale, room);
}

/** Shows a box that was looked for, at a zoom at which it can be read. */
export function found(view: View, box: Box, room: Room): View {
  return view.scale >= READABLE ? revealed(view, box, room) : centered(box, 1, room);
}

/** Brings a box into sight, moving no more than that needs. */
export function revealed(view: View, box: Box, { width, height }: Room): View {
  const { x, y, scale } = view;
  const nearer = (low: number, size: number, room: number) =>
    low < MARGIN ? MARGIN - low : low + size > room - MARGIN ? room - MARGIN - low - size : 0;
  const dx = nearer(box.x * scale + x, box.width * scale, width);
  const dy = nearer(box.y * scale + y, box.height * scale, height);
  return dx === 0 && dy === 0 ? view : { x: x + dx, y: y + dy, scale };
}

/** Brings a box to the middle; one that is larger than the window begins at its upper left. */
function centered(box: Box, scale: number, { width, height }: Room): View {
  const start = (room: number, from: number, size: number) =>
    size * scale > room - 2 * MARGIN ? MARGIN - from * scale : (room - size * scale) / 2 - from * scale;
  return { x: start(width, box.x, box.width), y: start(height, box.y, box.height), scale };
}
