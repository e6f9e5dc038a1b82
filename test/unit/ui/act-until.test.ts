/** How tests in VS Code retry a click without effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { actUntil, holds } from "../../ui/harness";

test("an action without effect is repeated, with longer waits, until its result appears", async () => {
  const acts: [number, boolean][] = [];
  const outcome = holds("the third", async () => acts.length === 3);
  await actUntil(outcome, async ({ timeout }, again) => acts.push([timeout, again]), 20);
  assert.deepEqual(acts, [
    [20, false],
    [40, true],
    [80, true],
  ]);
});

test("a late result is noticed even if it blocks the next attempt", async () => {
  let acts = 0;
  const outcome = holds("it opens", async () => acts > 1);
  const act = async () => {
    acts++;
    if (acts > 1) throw new Error("What opened lies over the button.");
  };
  await actUntil(outcome, act, 20);
  assert.equal(acts, 2);
});

test("a failing action is retried, and its last error is reported", async () => {
  const never = { waitFor: () => Promise.reject(new Error("not there")) };
  let acts = 0;
  const act = async () => {
    acts++;
    throw new Error(`failure ${acts}`);
  };
  await assert.rejects(actUntil(never, act, 30_000), /failure 3/);
});
