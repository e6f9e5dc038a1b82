/** The graph moves the cursor, and its selection events arrive late. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SelectionEchoFilter } from "../../../client/pages/graph-text";

const at = (line: number) => ({ line, character: 2 });

test("selections made by the graph are recognized, however late the editor reports them", () => {
  const led = new SelectionEchoFilter();
  for (const line of [4, 9, 4, 30]) led.expect(at(line));
  assert.deepEqual(
    [4, 9, 4, 30, 30].map((line) => led.isEcho(at(line))),
    [true, true, true, true, true],
  );
});

test("selections that the editor skipped no longer count as the graph's", () => {
  const led = new SelectionEchoFilter();
  for (const line of [4, 9, 30]) led.expect(at(line));
  assert.deepEqual(
    [30, 9].map((line) => led.isEcho(at(line))),
    [true, false],
  );
});

test("once the user moves the cursor, the graph follows", () => {
  const led = new SelectionEchoFilter();
  led.expect(at(4));
  assert.equal(led.isEcho({ line: 4, character: 3 }), false);
  assert.equal(led.isEcho(at(4)), false);
});
