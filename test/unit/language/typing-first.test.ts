/** Files on disk are read while the user types, and typing has priority. */
import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { uriOf } from "../../../server/protocol/uris";
import { Workspace } from "../../../server/workspace/workspace";
import { folderWith } from "../cli/cli";

const FILES = 20;

test("typing delays background checks a little, and all files are checked even during constant typing", async () => {
  const names = Array.from({ length: FILES }, (_, number) => `${number}.flow.yaml`);
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, "entry: a\n"])));
  try {
    let types = false;
    const read: string[] = [];
    const workspace = new Workspace({
      read: async (uri) => {
        read.push(uri);
        if (types) workspace.typed();
        return undefined;
      },
    });
    workspace.folders = [uriOf(folder.path)];
    const passOf = async () => {
      const begun = performance.now();
      await workspace.update();
      assert.equal(read.splice(0).length, FILES);
      return performance.now() - begun;
    };
    await passOf();
    types = true;
    // Less than thirty milliseconds for each, since a timer may be early by one or two.
    assert.ok((await passOf()) > FILES * 20);
  } finally {
    folder.remove();
  }
});
