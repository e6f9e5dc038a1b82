/** The test thread ends when it is idle, and a request at that time is still answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { inProject } from "../../../scripts/project";
import { TestThread } from "../../../server/testing/thread";

test("a run requested while the idle thread ends gets a response", async () => {
  const thread = new TestThread(() => undefined, inProject("dist/test-worker.js"), 0);
  const list = () => thread.ask({ kind: "list", files: [], unsaved: [] }, () => undefined);
  for (let round = 0; round < 5; round++) {
    assert.equal(await list(), "[]");
    // The thread is terminating now, which takes longer than this.
    await wait(2);
  }
  await thread.dispose();
});
