import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { flowOf } from "../../../bench/flows";
import type { GraphView } from "../../../server/messages";
import { curve, shapeEdges } from "../../../webview/graph/curves";
import { Obstacles } from "../../../webview/graph/detour";
import {
  around,
  boxOf,
  EDGE_LABEL,
  labelHeight,
  meets,
  NODE,
  nearest,
  type Point,
} from "../../../webview/graph/geometry";
import { arrange, inRows } from "../../../webview/graph/layout/layout";
import type { LayoutRequest } from "../../../webview/graph/layout/layout-messages";
import {
  adapt,
  edgeKeys,
  emptyPlacing,
  fromLayout,
  needsLayout,
  newNameOf,
  type Placing,
} from "../../../webview/graph/layout/placing";
import { ranksOf } from "../../../webview/graph/layout/ranks";
import { withLastGood } from "../../../webview/graph/overlays/last-good";
import { flowOfArrows, viewOf } from "./views";

const WINDOW = { width: 640, height: 700 };

test("a layout goes downwards without overlaps, and routes begin and end at their nodes", () => {
  const view = viewOf(flowOfArrows("a>b a>c b>d c>d d>e e>a"));
  const placing = laid(view);
  assert.equal(placing.places.size, 5);
  assertNoOverlap(placing);
  const y = (id: string) => placing.places.get(id)?.y ?? Number.NaN;
  assert.ok(y("a") < y("b") && y("b") < y("d") && y("d") < y("e"));
  const straight = drawn(view, { ...placing, routes: new Map() });
  for (const [key, path] of drawn(view, placing)) assert.notEqual(path, straight.get(key), `${key} has its route`);
});

test("a flow of 300 nodes with long edges is laid out without overlaps", () => {
  const placing = laid(viewOf(flowOf(300)));
  assert.equal(placing.places.size, 300);
  assertNoOverlap(placing);
});

test("if the layout fails, nodes are placed in rows by level", () => {
  const nodes = ["a", "b", "c"];
  const placing = fromLayout(
    inRows({ ticket: 1, room: WINDOW, nodes, edges: [] }, ranksOf(nodes, [arrow("a", "b"), arrow("a", "c")])),
  );
  assert.equal(placing.places.size, 3);
  assertNoOverlap(placing);
});

test("a long chain is split into readable columns with edges between them", () => {
  const chain = (count: number) => Array.from({ length: count - 1 }, (_, index) => `n${index}>n${index + 1}`).join(" ");
  const view = viewOf(flowOfArrows(chain(200)));
  const placing = laid(view);
  assertNoOverlap(placing);
  const { width, height } = around([...placing.places.values()].map(boxOf));
  const scale = Math.min(WINDOW.width / width, WINDOW.height / height);
  assert.ok(scale > 0.22, `each node is a box with words at a zoom of ${scale}`);
  const places = Array.from({ length: 200 }, (_, index) => placing.places.get(`n${index}`) as Point);
  const columns = new Set(places.map(({ x }) => x));
  for (const [index, place] of places.slice(1).entries()) {
    const before = places[index] as Point;
    const isBelow = place.x === before.x && place.y > before.y;
    assert.ok(isBelow || (place.x > before.x && place.y === places[0]?.y), `n${index + 1} is read after n${index}`);
  }
  assert.ok(columns.size > 5, `${columns.size} columns`);
  const back = [...drawn(view, placing)].filter(([key]) => !placing.routes.has(key));
  assert.equal(back.length, columns.size - 1, "an edge leads from each column to the next");
  // A small flow stays in one column.
  assert.equal(new Set([...laid(viewOf(flowOfArrows(chain(6)))).places.values()].map(({ x }) => x)).size, 1);
});

test("columns begin where few edges cross, and keep related nodes together", () => {
  // Ten diamonds in a row: one edge between two of them, two inside of each.
  const diamonds = Array.from(
    { length: 10 },
    (_, i) => `s${i}>l${i} s${i}>r${i} l${i}>e${i} r${i}>e${i}${i < 9 ? ` e${i}>s${i + 1}` : ""}`,
  ).join(" ");
  const view = viewOf(flowOfArrows(diamonds));
  const placing = laid(view);
  assertNoOverlap(placing);
  const across = edgeKeys(view).filter((key) => !placing.routes.has(key));
  assert.ok(across.length > 0, "it is broken");
  for (const key of across) assert.match(key, /^e\d\0s\d\0/);
});

test("ranks grow along every edge that doesn't close a loop", () => {
  const ranks = ranksOf(
    ["a", "b", "c", "d"],
    [arrow("a", "b"), arrow("b", "c"), arrow("c", "a"), arrow("a", "d"), arrow("c", "d")],
  );
  assert.deepEqual(
    [...ranks],
    [
      ["a", 0],
      ["b", 1],
      ["c", 2],
      ["d", 3],
    ],
  );
  const deep = Array.from({ length: 20_000 }, (_, index) => String(index));
  const chain = deep.slice(1).map((id, index) => arrow(String(index), id));
  assert.equal(ranksOf(deep, chain).get("19999"), 19_999);
});

test("a new edge goes around the nodes between its ends", () => {
  const before = laid(viewOf(flowOfArrows("greet>ask ask>look ask>over look>tell look>over tell>bye greet>bye")));
  for (const more of ["greet>new new>bye", "tell>greet", "over>greet", "bye>greet", "greet>look", "greet>tell"]) {
    const view = viewOf(flowOfArrows(`greet>ask ask>look ask>over look>tell look>over tell>bye greet>bye ${more}`));
    const after = adapt(view, before);
    const keys = new Set(before.routes.keys());
    const fresh = shapeEdges(view, after).filter(({ key }) => !keys.has(key));
    assert.ok(fresh.length > 0);
    for (const { edge, shape } of fresh)
      for (const [id, center] of after.places)
        if (id !== edge.source && id !== edge.target)
          for (const point of pointsOn(shape.path))
            assert.ok(!isInside(boxOf(center), point), `${edge.source} to ${edge.target} runs below ${id}`);
  }
});

test("a new edge between nodes of a row goes around the nodes between them", () => {
  const places = new Map(
    Object.entries({
      look: { x: 177, y: 410 },
      tell: { x: 128, y: 568 },
      over: { x: 412, y: 568 },
      new: { x: 689, y: 550 },
      bye: { x: 354, y: 708 },
    }),
  );
  const obstacles = new Obstacles(places);
  const [left, right] = [places.get("tell") as Point, places.get("new") as Point];
  for (const [source, target] of [
    [left, right],
    [right, left],
  ] as const) {
    const { path, label } = curve(source, target, undefined, 0, obstacles, true);
    for (const center of places.values())
      for (const point of [...pointsOn(path), label]) assert.ok(!isInside(boxOf(center), point), path);
  }
});

test("a new node moves no other and is placed below its predecessor", () => {
  const before = laid(viewOf(flowOfArrows("a>b a>c")));
  const after = adapt(viewOf(flowOfArrows("a>b a>c a>new")), before);
  assert.equal(movedPixels(before, after), 0);
  assert.ok((after.places.get("new")?.y ?? 0) > (before.places.get("a")?.y ?? 0));
  assertNoOverlap(after);
});

test("a renamed node keeps its position and routes, and undo restores them", () => {
  const text = flowOfArrows("a>b b>c a>c");
  const before = laid(viewOf(text));
  const changed = viewOf(text.replaceAll(/\bb\b/g, "other"));
  const after = adapt(changed, before);
  assert.deepEqual(after.places.get("other"), before.places.get("b"));
  assert.equal(movedPixels(before, after), 0);
  const back = adapt(viewOf(text), after);
  assert.equal(newNameOf("b", before.places, after.places), "other");
  assert.equal(newNameOf("other", after.places, back.places), "b");
  assert.equal(newNameOf("a", before.places, after.places), undefined);
  assert.deepEqual(new Map([...back.places].sort()), new Map([...before.places].sort()));
  assert.deepEqual(drawn(viewOf(text), back), drawn(viewOf(text), before));
});

test("a node that is removed and restored keeps its position", () => {
  const text = flowOfArrows("a>b b>c c>d");
  const before = laid(viewOf(text));
  const without = adapt(viewOf(flowOfArrows("a>b b>d")), before);
  assert.equal(without.places.has("c"), false);
  assert.equal(newNameOf("c", before.places, without.places), undefined);
  const back = adapt(viewOf(text), without);
  assert.deepEqual(back.places.get("c"), before.places.get("c"));
});

test("an edge with another target doesn't keep its old route", () => {
  const before = laid(viewOf(flowOfArrows("a>b b>c a>c")));
  const view = viewOf(flowOfArrows("a>b b>a a>c"));
  const after = adapt(view, before);
  const key = edgeKeys(view)[view.edges.findIndex((edge) => edge.source === "b")] as string;
  const target = after.places.get("a") as Point;
  assert.ok(endOf(drawn(view, after).get(key) as string).distance(target) <= NODE.width / 2 + 1);
});

test("additions and removals don't move other nodes, and nothing overlaps", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const arrows = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(arrows, { minLength: 2, maxLength: 5 }), (versions) => {
      let placing: Placing = emptyPlacing;
      for (const pairs of versions) {
        const view = viewOf(flowOfArrows(pairs.map(([from, to]) => `${from}>${to}`).join(" ")));
        const isNew = !view.nodes.some(({ id }) => placing.places.has(id) || placing.left.has(id));
        assert.equal(needsLayout(view, placing), isNew, "only where nothing is known");
        if (isNew) placing = laid(view);
        else {
          const next = adapt(view, placing);
          assert.equal(movedPixels(placing, next), 0);
          placing = next;
        }
        assert.deepEqual([...placing.places.keys()].sort(), [...new Set(view.nodes.map(({ id }) => id))].sort());
        assertNoOverlap(placing);
      }
    }),
    { numRuns: 60 },
  );
});

test("pasting many nodes into a small flow moves none of its nodes; a nearly new flow is laid out again", () => {
  const small = "a>b b>c";
  const before = laid(viewOf(flowOfArrows(small)));
  const pasted = (count: number) =>
    viewOf(flowOfArrows(`${small} ${Array.from({ length: count }, (_, index) => `b>new${index}`).join(" ")}`));
  for (const count of [6, 17, 30]) {
    const view = pasted(count);
    assert.equal(needsLayout(view, before), false, `${count} new nodes`);
    const after = adapt(view, before);
    assert.equal(movedPixels(before, after), 0);
    assert.equal(after.places.size, 3 + count);
    assertNoOverlap(after);
  }
  assert.equal(needsLayout(pasted(31), before), true);
});

test("a point selects the node at it, or the nearest one", () => {
  const places = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", { x: 300, y: 0 }],
  ]);
  const [right, bottom] = [NODE.width / 2, NODE.height / 2];
  assert.equal(nearest(places, { x: right, y: bottom }, 0), "a");
  assert.equal(nearest(places, { x: right + 5, y: 0 }, 4), undefined);
  assert.equal(nearest(places, { x: right + 5, y: 0 }, 6), "a");
  assert.equal(nearest(places, { x: 190, y: 0 }, 100), "b");
  assert.equal(nearest(places, { x: 0, y: bottom + 101 }, 100), undefined);
});

test("an edge to a node above uses the sides; one to itself is a loop", () => {
  const back = curve({ x: 0, y: 400 }, { x: 0, y: 0 }, undefined, 0);
  assert.match(back.path, /^M104,400C/);
  assert.ok(back.path.endsWith("104,0"));
  const loop = curve({ x: 0, y: 0 }, { x: 0, y: 0 }, undefined, 0);
  assert.match(loop.path, /^M104,-12C.* 104,12$/);
  assert.ok(loop.label.x - EDGE_LABEL.width / 2 >= NODE.width / 2, "the node covers nothing of its label");
});

test("the label of an edge between two nodes of a row covers neither", () => {
  const right = { x: NODE.width + 48, y: 10 };
  const { label } = curve({ x: 0, y: 0 }, right, undefined, 0);
  assert.ok(label.y - labelHeight(2) / 2 > right.y + NODE.height / 2);
  assert.ok(curve({ x: 0, y: 0 }, { ...right, x: 3 * NODE.width }, undefined, 0).label.y < NODE.height / 2, "it fits");
});

test("parts that can't be parsed keep their last state and are marked", () => {
  const text = flowOfArrows("a>b b>c c>a");
  const good = viewOf(text);
  const half = withLastGood(viewOf(text.replace("  b:\n", "  b\n")), good);
  assert.deepEqual(half.nodes.map(({ id, unread }) => `${id}${unread ? "?" : ""}`).sort(), ["a", "b?", "c"]);
  assert.ok(half.edges.some((edge) => edge.source === "b" && edge.unread));
  assert.ok(half.edges.every((edge) => !edge.dangling));
  const nothing = withLastGood(viewOf(text.replace("nodes:", "nodes")), good);
  assert.deepEqual(
    nothing.nodes.map(({ id }) => id),
    ["a", "b", "c"],
  );
  assert.equal(withLastGood(good, undefined), good);
  const without = viewOf(flowOfArrows("a>c c>a"));
  assert.equal(withLastGood(without, good), without, "a file that can be read is shown as it is");
});

function laid(view: GraphView): Placing {
  const keys = edgeKeys(view);
  const known = new Set(view.nodes.map(({ id }) => id));
  const request: LayoutRequest = {
    ticket: 1,
    room: WINDOW,
    nodes: [...known],
    edges: view.edges.flatMap(({ source, target, label }, index) =>
      known.has(target)
        ? [{ key: keys[index] as string, source, target, labelLines: label === undefined ? 0 : 1 }]
        : [],
    ),
  };
  return fromLayout(arrange(request));
}

function drawn(view: GraphView, placing: Placing): Map<string, string> {
  const keys = edgeKeys(view);
  return new Map(
    view.edges.map((edge, index) => {
      const key = keys[index] as string;
      const [source, target] = [placing.places.get(edge.source), placing.places.get(edge.target)] as [Point, Point];
      return [key, curve(source, target, placing.routes.get(key), 0).path];
    }),
  );
}

/** Points on a path of straight, quadratic and cubic pieces. */
function pointsOn(path: string): Point[] {
  const points: Point[] = [];
  let from: Point[] = [];
  for (const [, letter, numbers] of path.matchAll(/([MLQC])([^MLQC]*)/g)) {
    const pairs = [...(numbers as string).matchAll(/(-?[\d.]+),(-?[\d.]+)/g)];
    const bends = [...from, ...pairs.map(([, x, y]) => ({ x: Number(x), y: Number(y) }))];
    if (letter !== "M") for (let step = 0; step <= 50; step++) points.push(onCurve(bends, step / 50));
    from = bends.slice(-1);
  }
  return points;
}

function onCurve([first, ...rest]: readonly Point[], part: number): Point {
  if (!first || rest.length === 0) return first as Point;
  const all = [first, ...rest];
  const closer = rest.map((to, index) => {
    const from = all[index] as Point;
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  });
  return onCurve(closer, part);
}

function isInside({ x, y, width, height }: ReturnType<typeof boxOf>, point: Point): boolean {
  return point.x > x + 1 && point.x < x + width - 1 && point.y > y + 1 && point.y < y + height - 1;
}

function movedPixels(before: Placing, after: Placing): number {
  let sum = 0;
  for (const [id, place] of before.places) {
    const now = after.places.get(id);
    if (now) sum += Math.abs(now.x - place.x) + Math.abs(now.y - place.y);
  }
  return sum;
}

function assertNoOverlap(placing: Placing): void {
  const boxes = [...placing.places].map(([id, place]) => ({ id, box: boxOf(place) }));
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1))
      assert.ok(!meets(one.box, other.box), `${one.id} and ${other.id} overlap`);
}

function endOf(path: string): { distance(point: Point): number } {
  const [x = Number.NaN, y = Number.NaN] = (path.split(/[ MCQL]/).at(-1) ?? "").split(",").map(Number);
  return { distance: (point) => Math.hypot(x - point.x, y - point.y) };
}

function arrow(source: string, target: string) {
  return { source, target };
}
