/**
 * Breaks a layout that is much taller than the window into columns, as in a newspaper. Without them, a chain of 200
 * nodes would shrink to a line of dots. Edges within a column keep their routes; others are drawn directly.
 */
import { around, type Box, boxOf, EDGE_LABEL, type Point, READABLE } from "../geometry";
import type { LayoutAnswer, LayoutRequest, Route } from "./layout-messages";

/** Layouts with fewer levels are small enough without columns. */
const LEVELS = 12;

/** The minimum number of levels per column. */
const LEAST = 4;

/** Columns make edges longer, so they must enlarge the graph at least by this factor. */
const GAIN = 1.3;

/** The gap between columns, for edges with and without labels. */
const GAP = { plain: 96, labeled: EDGE_LABEL.width + 40 } as const;

export function columns(answer: LayoutAnswer, request: LayoutRequest): LayoutAnswer {
  const levels = [...new Set(answer.places.map(([, place]) => Math.round(place.y)))].sort((a, b) => a - b);
  const before = fitting(around(answer.places.map(([, place]) => boxOf(place))), request.room);
  if (levels.length < LEVELS || before >= READABLE) return answer;
  const level = new Map(levels.map((y, index) => [y, index]));
  const levelOf = new Map(answer.places.map(([id, { y }]) => [id, level.get(Math.round(y)) ?? 0]));
  const crossings = crossingsOf(request, levelOf, levels.length);
  let best: { readonly made: LayoutAnswer; readonly scale: number } | undefined;
  for (let count = 2; count * LEAST <= levels.length; count++) {
    const made = splitAt(answer, request, levelOf, cutsFor(crossings, levels.length, count));
    const scale = fitting(around(made.places.map(([, place]) => boxOf(place))), request.room);
    if (best && scale <= best.scale) break;
    best = { made, scale };
  }
  return best && best.scale >= before * GAIN ? best.made : answer;
}

function fitting(whole: Box, { width, height }: LayoutRequest["room"]): number {
  return Math.min(1, Math.max(1, width) / whole.width, Math.max(1, height) / whole.height);
}

/** Counts the edges that cross from each level to the next, in either direction. */
function crossingsOf(request: LayoutRequest, levelOf: ReadonlyMap<string, number>, count: number): number[] {
  const changes = new Array<number>(count + 1).fill(0);
  for (const { source, target } of request.edges) {
    const ends = [levelOf.get(source) ?? 0, levelOf.get(target) ?? 0];
    (changes[Math.min(...ends)] as number)++;
    (changes[Math.max(...ends)] as number)--;
  }
  let open = 0;
  return changes.slice(0, count).map((change) => {
    open += change;
    return open;
  });
}

/** Returns the first level of each column after the first: close to equal heights, where the fewest edges cross. */
function cutsFor(crossings: readonly number[], levels: number, count: number): number[] {
  const length = levels / count;
  const reach = Math.floor(length / 5);
  return Array.from({ length: count - 1 }, (_, index) => {
    const ideal = Math.round((index + 1) * length);
    let best = ideal;
    for (let step = 1; step <= reach; step++)
      for (const cut of [ideal - step, ideal + step])
        if ((crossings[cut - 1] as number) < (crossings[best - 1] as number)) best = cut;
    return best;
  });
}

function splitAt(
  answer: LayoutAnswer,
  request: LayoutRequest,
  levelOf: ReadonlyMap<string, number>,
  cuts: readonly number[],
): LayoutAnswer {
  const columnOf = (id: string) => cuts.filter((cut) => cut <= (levelOf.get(id) ?? 0)).length;
  const columns = new Map(answer.places.map(([id]) => [id, columnOf(id)]));
  const edges = new Map(request.edges.map((edge) => [edge.key, edge]));
  const inside = answer.routes.flatMap(([key, route]) => {
    const edge = edges.get(key);
    const column = columns.get(edge?.source ?? "");
    return column !== undefined && column === columns.get(edge?.target ?? "") ? [{ key, route, column }] : [];
  });
  const boxes = cuts.concat(0).map((): Box[] => []);
  for (const [id, place] of answer.places) boxes[columns.get(id) ?? 0]?.push(boxOf(place));
  for (const { route, column } of inside) for (const box of boxesOf(route)) boxes[column]?.push(box);
  const labeled = gapsWithLabels(request, columns);
  let left = 24;
  const shifts = boxes.map((all, column) => {
    const { x, y, width } = around(all);
    const shift = { x: left - x, y: 24 - y };
    left += width + (labeled.has(column) ? GAP.labeled : GAP.plain);
    return shift;
  });
  const moved = ({ x, y }: Point, column: number) => {
    const shift = shifts[column] as Point;
    return { x: x + shift.x, y: y + shift.y };
  };
  return {
    ...answer,
    places: answer.places.map(([id, place]) => [id, moved(place, columns.get(id) ?? 0)]),
    routes: inside.map(({ key, route: { points, label }, column }) => [
      key,
      { points: points.map((point) => moved(point, column)), label: label && moved(label, column) },
    ]),
  };
}

/** Returns the columns followed by a gap that a labeled edge crosses. */
function gapsWithLabels({ edges }: LayoutRequest, columns: ReadonlyMap<string, number>): Set<number> {
  const found = new Set<number>();
  for (const { source, target, labelLines } of edges) {
    const ends = [columns.get(source) ?? 0, columns.get(target) ?? 0];
    if (labelLines > 0) for (let gap = Math.min(...ends); gap < Math.max(...ends); gap++) found.add(gap);
  }
  return found;
}

/** Boxes of a route's points and label. They are between its nodes vertically, so only the width matters. */
function boxesOf({ points, label }: Route): Box[] {
  const { width } = EDGE_LABEL;
  return [
    ...points.map((point) => ({ ...point, width: 0, height: 0 })),
    ...(label ? [{ x: label.x - width / 2, y: label.y, width, height: 0 }] : []),
  ];
}
