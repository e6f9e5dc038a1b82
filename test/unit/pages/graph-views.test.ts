import assert from "node:assert/strict";
import { test } from "node:test";
import { countInBar } from "../../../webview/graph/bar";
import { type Box, boxOf, holds, type Point, partAround } from "../../../webview/graph/geometry";
import { fitted, followed, found, revealed, seenIn, started } from "../../../webview/graph/views";
import { wrap } from "../../../webview/graph/wrap";

const WINDOW = { width: 640, height: 700 };

test("a graph that is readable as a whole opens fitted, others at their entry at 100 %", () => {
  const few = chain(6);
  const small = started(first(few), few.map(boxOf), WINDOW);
  assert.ok(small.scale >= 0.75 && small.scale < 1, `${small.scale}`);
  for (const place of few) assert.ok(holds(seenIn(small, WINDOW), boxOf(place)), "all of it is in sight");

  const many = chain(40);
  const large = started(first(many), many.map(boxOf), WINDOW);
  assert.equal(large.scale, 1);
  assert.ok(holds(seenIn(large, WINDOW), boxOf(first(many))), "the entry is in sight");
});

test("a graph that opens at its entry leaves no empty margin beside it", () => {
  const wide = Array.from({ length: 20 }, (_, index) => ({ x: index * 260, y: 0 }));
  const boxes = wide.map(boxOf);
  const leftOf = (point: Point) => seenIn(started(point, boxes, WINDOW), WINDOW).x;
  assert.equal(leftOf(first(wide)), (boxes[0] as Box).x - 24);
  assert.equal(leftOf(wide.at(-1) as Point) + WINDOW.width, (boxes.at(-1) as Box).x + 208 + 24);
  const high = chain(40);
  assert.deepEqual(middle(seenIn(started(first(high), high.map(boxOf), WINDOW), WINDOW)).x, first(high).x);
});

test("the editor's cursor doesn't move a fully visible graph, and otherwise centers its node", () => {
  const places = chain(5);
  const boxes = places.map(boxOf);
  const all = fitted(boxes, WINDOW);
  for (const box of boxes) assert.equal(followed(all, box, boxes, WINDOW), all);
  const near = { ...all, scale: 2 };
  assert.deepEqual(middle(seenIn(followed(near, boxes[4] as Box, boxes, WINDOW), WINDOW)), places[4]);
});

test("a match that is too small is zoomed to a readable size; otherwise the zoom stays", () => {
  const places = chain(300);
  const far = fitted(places.map(boxOf), WINDOW);
  const read = found(far, boxOf(places[200] as Point), WINDOW);
  assert.equal(read.scale, 1);
  assert.deepEqual(middle(seenIn(read, WINDOW)), places[200]);
  const next = found({ ...read, scale: 0.8 }, boxOf(first(places)), WINDOW);
  assert.equal(next.scale, 0.8);
  assert.ok(holds(seenIn(next, WINDOW), boxOf(first(places))));
});

test("an element that the minimap would cover is centered", () => {
  const view = { x: 0, y: 0, scale: 1 };
  const minimap = { width: 192, height: 142 };
  const corner = boxOf({ x: 600, y: 720 });
  assert.deepEqual(middle(seenIn(revealed(view, corner, WINDOW, minimap), WINDOW)), { x: 600, y: 720 });
  assert.ok(holds(seenIn(revealed(view, corner, WINDOW), WINDOW), corner));
  const left = boxOf({ x: 200, y: 720 });
  assert.deepEqual(revealed(view, left, WINDOW, minimap), revealed(view, left, WINDOW));
  const seen = boxOf({ x: 200, y: 300 });
  assert.equal(revealed(view, seen, WINDOW, minimap), view);
});

test("text is broken between words, and cut off at the end of the last line", () => {
  const fits = (part: string) => part.length <= 10;
  const cases: [text: string, lines: string[]][] = [
    ["", []],
    ["short", ["short"]],
    ["ten letter", ["ten letter"]],
    ["ask account", ["ask", "account"]],
    ["the caller wants a refund", ["the caller", "wants a r…"]],
    ["ask_for_the_account", ["ask_for_", "the_accou…"]],
    ["Donaudampfschifffahrt", ["Donaudampf", "schifffah…"]],
    ["  padded  text on it ", ["padded", "text on it"]],
    ["\u{1F600}".repeat(8), ["\u{1F600}".repeat(5), "\u{1F600}".repeat(3)]],
  ];
  for (const [text, lines] of cases) assert.deepEqual(wrap(text, 2, fits), lines, text);
  assert.deepEqual(wrap("the caller wants", 1, fits), ["the calle…"]);
  // Not even one character fits, but it finishes.
  assert.deepEqual(wrap("\u{1F600}\u{1F600}\u{1F600}", 2, () => false).length, 2);
});

test("as many toolbar controls are visible as fit, including the menu button", () => {
  const widths = [100, 30, 30, 40];
  assert.equal(countInBar(widths, 200, 30), 4);
  assert.equal(countInBar(widths, 199, 30), 3);
  assert.equal(countInBar(widths, 189, 30), 2);
  assert.equal(countInBar(widths, 20, 30), 0);
});

/** Nodes below each other. */
function chain(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => ({ x: 0, y: index * 140 }));
}

function first(places: readonly Point[]): Point {
  return places[0] as Point;
}

function middle({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

test("of a long edge, the part with its label is brought into view; of a short one, all", () => {
  const most = { width: 400, height: 300 };
  const long = { x: -100, y: 50, width: 300, height: 2000 };
  assert.deepEqual(partAround({ x: 180, y: 1000 }, long, most), { ...long, y: 850, height: 300 });
  assert.deepEqual(partAround({ x: 180, y: 60 }, long, most), { ...long, height: 300 }, "not beyond its end");
  const short = { x: 0, y: 0, width: 100, height: 100 };
  assert.deepEqual(partAround({ x: 50, y: 90 }, short, most), short);
});
