/** The thread that reads files ends when it is idle, and a file requested at that time is still read. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { inProject } from "../../../scripts/project";
import { uriOf } from "../../../server/protocol/uris";
import { DigestReader } from "../../../server/workspace/digest-reader";
import { folderWith } from "../cli/cli";

test("a file requested while the idle thread ends is read", async () => {
  const folder = folderWith({ "a.flow.yaml": "entry: a\nnodes:\n  a: {type: end}\n" });
  const options = () => ({ rules: {}, encoding: "utf-16", related: false, checks: true });
  const reader = new DigestReader(options, inProject("dist/digest-worker.js"), 0);
  try {
    for (let round = 0; round < 5; round++) {
      assert.ok(await reader.read(uriOf(path.join(folder.path, "a.flow.yaml"))), `round ${round}`);
      // The thread is terminating now, which takes longer than this.
      await wait(2);
    }
  } finally {
    await reader.dispose();
    folder.remove();
  }
});
