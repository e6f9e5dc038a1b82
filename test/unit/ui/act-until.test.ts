/** How tests in VS Code retry a click without effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { actUntil, holds } from "../../ui/harness";

test("what did nothing is done again, with more patience, until what should come of it is there", async () => {
  const acts: [number, boolean][] = [];
  const outcome = holds("the third", async () => acts.length === 3);
  await actUntil(outcome, async ({ timeout }, again) => acts.push([timeout, again]), 20);
  assert.deepEqual(acts, [
    [20, false],
    [40, true],
    [80, true],
  ]);
});

test("what came late is seen, though it is in the way of doing it again", async () => {
  let acts = 0;
  const outcome = holds("it opens", async () => acts > 1);
  const act = async () => {
    acts++;
    if (acts > 1) throw new Error("What opened lies over the button.");
  };
  await actUntil(outcome, act, 20);
  assert.equal(acts, 2);
});

test("an act that fails is tried again, and what failed last is told", async () => {
  const never = { waitFor: () => Promise.reject(new Error("not there")) };
  let acts = 0;
  const act = async () => {
    acts++;
    throw new Error(`failure ${acts}`);
  };
  await assert.rejects(actUntil(never, act, 30_000), /failure 3/);
});
