/**
 * Keeps node positions stable. A full layout is made when a flow is first shown, when nearly all of it is new, or on
 * request. Otherwise existing nodes don't move: a new node gets the nearest free position below its predecessor, and a
 * new or changed edge is drawn without a route (curves.ts).
 */
import type { GraphView } from "../../../server/messages";
import { boxOf, meets, NODE, type Places, type Point } from "../geometry";
import type { LayoutAnswer, Route } from "./layout-messages";

export interface Placing {
  readonly places: Places;
  /** Positions of deleted nodes, to which an undo or a completed line restores them. */
  readonly left: Places;
  /** Routes by edge key. A route whose nodes have moved isn't drawn (curves.ts). */
  readonly routes: ReadonlyMap<string, Route>;
}

export const emptyPlacing: Placing = { places: new Map(), left: new Map(), routes: new Map() };

/** Edge keys of a view, in order: source, target, and occurrence index. Edge IDs change with names and may repeat. */
export function edgeKeys(view: GraphView): string[] {
  const seen = new Map<string, number>();
  return view.edges.map((edge) => {
    const name = `${edge.source}\u0000${edge.target}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return `${name}\u0000${count}`;
  });
}

/** With more new nodes than this per known node, a new layout is made. */
const NEW_FOR_EACH_KNOWN = 10;

/** Whether too few nodes have a position for keeping the layout. */
export function needsLayout(view: GraphView, placing: Placing): boolean {
  if (view.nodes.length === 0) return false;
  const known = view.nodes.filter((node) => placing.places.has(node.id) || placing.left.has(node.id)).length;
  return view.nodes.length - known > NEW_FOR_EACH_KNOWN * known;
}

export function fromLayout(answer: LayoutAnswer): Placing {
  return { places: new Map(answer.places), left: new Map(), routes: new Map(answer.routes) };
}

/** Adapts positions to a changed view: known nodes stay, new ones get a free position. */
export function adapt(view: GraphView, placing: Placing): Placing {
  const places = new Map<string, Point>();
  for (const node of view.nodes) {
    const place = placing.places.get(node.id);
    if (place) places.set(node.id, place);
  }
  const gone = [...placing.places].filter(([id]) => !places.has(id));
  const left = new Map([...placing.left, ...gone]);
  const fresh = new Set(view.nodes.filter((node) => !places.has(node.id)).map((node) => node.id));
  let routes = placing.routes;
  // If one node is gone and one is new, it was renamed and keeps its position.
  const [only] = fresh;
  const [was] = gone;
  if (fresh.size === 1 && gone.length === 1 && only !== undefined && was && !placing.left.has(only)) {
    places.set(only, was[1]);
    fresh.clear();
    routes = renamed(placing.routes, was[0], only);
  }
  const grid = new Occupied(places.values());
  for (const id of fresh) {
    const before = left.get(id);
    if (!before || grid.isTaken(before)) continue;
    places.set(id, before);
    grid.add(before);
    fresh.delete(id);
  }
  for (const id of places.keys()) left.delete(id);
  const neighbors = neighborsOf(view);
  // Nodes next to other new nodes wait until those have a position.
  for (let round = 0; fresh.size > 0 && round <= view.nodes.length; round++) {
    let placed = false;
    for (const id of fresh) {
      const place = nextToNeighbors(neighbors.get(id), places);
      if (!place) continue;
      const free = grid.nearestFree(place);
      places.set(id, free);
      grid.add(free);
      fresh.delete(id);
      placed = true;
    }
    if (!placed) break;
  }
  for (const id of fresh) {
    const free = grid.nearestFree(grid.below());
    places.set(id, free);
    grid.add(free);
  }
  return { places, left, routes };
}

/** The node that keeps the position of one that is gone, because it was renamed. */
export function newNameOf(id: string, before: Places, after: Places): string | undefined {
  const place = after.has(id) ? undefined : before.get(id);
  return place && [...after].find(([, other]) => other === place)?.[0];
}

/** Adds routes for a node's new ID; the old ones stay for an undo. */
function renamed(routes: Placing["routes"], from: string, to: string): Placing["routes"] {
  const all = new Map(routes);
  for (const [key, route] of routes) {
    const [source, target, ...rest] = key.split("\u0000");
    if (source !== from && target !== from) continue;
    all.set([source === from ? to : source, target === from ? to : target, ...rest].join("\u0000"), route);
  }
  return all;
}

const STEP = { x: NODE.width + 48, y: NODE.height + 56 } as const;

/** A node's predecessors and successors, including removed edges, so that a removed node is shown where it was. */
interface Neighbors {
  readonly from: string[];
  readonly to: string[];
}

function neighborsOf(view: GraphView): ReadonlyMap<string, Neighbors> {
  const all = new Map(view.nodes.map(({ id }): [string, Neighbors] => [id, { from: [], to: [] }]));
  for (const { source, target } of view.edges) {
    all.get(source)?.to.push(target);
    all.get(target)?.from.push(source);
  }
  return all;
}

/** Returns the position below a predecessor or above a successor. */
function nextToNeighbors({ from, to }: Neighbors = { from: [], to: [] }, places: Places): Point | undefined {
  const above = firstOf(from, places);
  if (above) return { x: above.x, y: above.y + STEP.y };
  const below = firstOf(to, places);
  return below && { x: below.x, y: below.y - STEP.y };
}

function firstOf(ids: readonly string[], places: Places): Point | undefined {
  const id = ids.find((one) => places.has(one));
  return id === undefined ? undefined : places.get(id);
}

/** A grid of occupied positions, so that finding a free one doesn't compare with every node. */
class Occupied {
  readonly #cells = new Map<string, Point[]>();
  #bottom = 0;

  constructor(points: Iterable<Point>) {
    for (const point of points) this.add(point);
  }

  add(point: Point): void {
    const key = cell(point);
    const there = this.#cells.get(key);
    if (there) there.push(point);
    else this.#cells.set(key, [point]);
    this.#bottom = Math.max(this.#bottom, point.y);
  }

  below(): Point {
    return { x: NODE.width / 2 + 24, y: this.#bottom + STEP.y };
  }

  nearestFree(preferred: Point): Point {
    for (let reach = 0; reach < 1000; reach++)
      for (const [dx, dy] of ring(reach)) {
        const place = { x: preferred.x + dx * STEP.x, y: preferred.y + dy * STEP.y };
        if (!this.isTaken(place)) return place;
      }
    return this.below();
  }

  isTaken(place: Point): boolean {
    const room = boxOf(place);
    const wide = { x: room.x - 16, y: room.y - 16, width: room.width + 32, height: room.height + 32 };
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const other of this.#cells.get(cell({ x: place.x + dx * STEP.x, y: place.y + dy * STEP.y })) ?? [])
          if (meets(wide, boxOf(other))) return true;
    return false;
  }
}

function cell(point: Point): string {
  return `${Math.floor(point.x / STEP.x)},${Math.floor(point.y / STEP.y)}`;
}

/** Tries the sides first and then lower levels, so that a new node stays just below its source if possible. */
function ring(reach: number): readonly (readonly [number, number])[] {
  if (reach === 0) return [[0, 0]];
  const level = Math.floor(reach / 4);
  return [
    [reach, 0],
    [-reach, 0],
    ...(level > 0
      ? ([
          [0, level],
          [reach, level],
          [-reach, level],
        ] as const)
      : []),
  ];
}
