/** Finds the files of a component ID: files on disk by an index, open ones by their live text. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { uriOf } from "../../../server/protocol/uris";
import { neighborsOf } from "../../../server/workspace/completion-sources";
import { DigestReader } from "../../../server/workspace/digest-reader";
import { Workspace } from "../../../server/workspace/workspace";
import { folderWith } from "../cli/cli";

const flow = (head: string) => `${head}entry: a\nnodes:\n  a: {type: end}\n`;

test("a component is found by the assistant or revision it names, on disk and as it is typed", async () => {
  const folder = folderWith({
    "a.flow.yaml": flow("assistant: One\n"),
    "b.flow.yaml": flow("assistant: one\nrevision: two\n"),
  });
  try {
    const reader = new DigestReader(() => ({ rules: {}, encoding: "utf-16", related: false, checks: true }));
    const workspace = new Workspace(reader);
    workspace.folders = [uriOf(folder.path)];
    const at = (name: string) => uriOf(path.join(folder.path, name));
    const found = (id: string) => workspace.withId(id).sort();
    await workspace.update();
    assert.deepEqual(found("one"), [at("a.flow.yaml"), at("b.flow.yaml")]);
    assert.deepEqual(found("two"), [at("b.flow.yaml")]);
    // Only one file can be synced with a revision, so those of other files aren't suggested.
    const suggested = (key: string) =>
      neighborsOf(workspace)
        .ids(key)
        .map(({ id }) => id)
        .sort();
    assert.deepEqual([suggested("assistant"), suggested("revision")], [["One", "one"], []]);
    workspace.open(at("b.flow.yaml"), 1, flow("assistant: Three\n"));
    assert.deepEqual([found("one"), found("two"), found("three")], [[at("a.flow.yaml")], [], [at("b.flow.yaml")]]);
    await workspace.close(at("b.flow.yaml"));
    assert.deepEqual(found("two"), [at("b.flow.yaml")]);
    writeFileSync(path.join(folder.path, "a.flow.yaml"), flow("revision: four\n"));
    await workspace.reread(at("a.flow.yaml"));
    assert.deepEqual([found("one"), found("four")], [[at("b.flow.yaml")], [at("a.flow.yaml")]]);
    workspace.folders = [];
    workspace.dropOutside();
    assert.deepEqual([found("one"), found("four")], [[], []]);
  } finally {
    folder.remove();
  }
});
