import assert from "node:assert/strict";
import { test } from "node:test";
import { DoubleClicks } from "../../../client/ui/double-clicks";

test("the second half of a double click is ignored, on whichever row it is", () => {
  let now = 0;
  const clicks = new DoubleClicks(() => now);
  const [one, other] = [{ id: "one" }, { id: "other" }];
  assert.equal(clicks.isSecond(one), false);
  now += 200;
  assert.equal(clicks.isSecond(other), true, "the next row moved under the pointer");
  now += 200;
  assert.equal(clicks.isSecond(other), true, "a third click");
  now += 600;
  assert.equal(clicks.isSecond(other), false);
  clicks.forget();
  assert.equal(clicks.isSecond(one), false, "after an undo");
});

test("IDs of a page and commands without a row are only ignored if they repeat", () => {
  const clicks = new DoubleClicks(() => 0);
  assert.equal(clicks.isSecond("a"), false);
  assert.equal(clicks.isSecond("a"), true);
  assert.equal(clicks.isSecond("b"), false);
  for (let call = 0; call < 2; call++) assert.equal(clicks.isSecond(undefined), false);
});
