import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, type TextEdit } from "../../../flow";
import { track } from "../../../flow/findings/track";
import { cases } from "../../support/cases";

/** `[` and `]` mark the span before; the edits are given as (find, replace). */
function moved(marked: string, ...edits: [string, string][]): string {
  const start = marked.indexOf("[");
  const end = marked.indexOf("]") - 1;
  const text = marked.replace(/[[\]]/g, "");
  const list = edits.map(
    ([find, replace]): TextEdit => ({
      start: text.indexOf(find),
      end: text.indexOf(find) + find.length,
      text: replace,
    }),
  );
  list.sort((a, b) => a.start - b.start);
  const span = track({ start, end, touched: false }, list);
  const after = applyEdits(text, list);
  return `${after.slice(0, span.start)}[${after.slice(span.start, span.end)}]${after.slice(span.end)}${span.touched ? " touched" : ""}`;
}

test("edits before and after leave a span on its text", () => {
  assert.equal(moved("one [two] three", ["one", "twenty-one"]), "twenty-one [two] three");
  assert.equal(moved("one [two] three", ["three", ""]), "one [two] ");
  assert.equal(moved("one [two] three", ["one ", ""], ["three", "3"]), "[two] 3");
});

test("an edit inside a span resizes it", () => {
  assert.equal(moved("one [two] three", ["w", "WW"]), "one [tWWo] three touched");
  assert.equal(moved("one [two] three", ["two", ""]), "one [] three touched");
});

test("a word that grows at either end of a span is another word", () => {
  const insert = (at: number, text: string) =>
    track({ start: 4, end: 7, touched: false }, [{ start: at, end: at, text }]);
  for (const [at, text] of [
    [7, "s"],
    [7, "_id is"],
    [4, "é"],
    [4, "now 4"],
  ] as const)
    assert.equal(insert(at, text).touched, true, text);
  for (const [at, text] of [
    [7, " more"],
    [7, "\n"],
    [7, ""],
    [4, "now "],
    [3, "now"],
    [8, "s"],
  ] as const)
    assert.equal(insert(at, text).touched, false, text);
});

test("an edit across an end truncates the span", () => {
  assert.equal(moved("one [two] three", ["o three", "X"]), "one [tw]X touched");
  assert.equal(moved("one [two] three", ["ne t", "X"]), "oX[wo] three touched");
  assert.equal(moved("one [two] three", ["ne two t", "X"]), "oX[]hree touched");
});

test("an unaffected span keeps its text", () => {
  const edit = fc.record({ start: fc.nat(30), length: fc.nat(5), text: fc.string({ maxLength: 5 }) });
  fc.assert(
    fc.property(
      fc.string({ minLength: 30, maxLength: 40 }),
      fc.nat(20),
      fc.nat(10),
      edit,
      edit,
      (text, from, length, one, two) => {
        const span = { start: from, end: from + length, touched: false };
        const first = { start: one.start, end: Math.min(text.length, one.start + one.length), text: one.text };
        const second = { start: first.end + two.start, end: first.end + two.start + two.length, text: two.text };
        const edits = second.end <= text.length ? [first, second] : [first];
        const after = track(span, edits);
        const result = applyEdits(text, edits);
        assert.ok(0 <= after.start && after.start <= after.end && after.end <= result.length);
        if (!after.touched && length > 0)
          assert.equal(result.slice(after.start, after.end), text.slice(span.start, span.end));
      },
    ),
    { numRuns: cases(2000) },
  );
});
