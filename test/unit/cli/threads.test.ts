/** `check` on many files uses several threads, with the same output as on one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { flowsOfMarkers } from "../../support/marker-flows";
import { bundleCli } from "../../support/sandbox-process";
import { cli, folderWith } from "./cli";

const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

test("threads and one process report the same, in the same order", async () => {
  const bundle = await bundleCli();
  const flows = flowsOfMarkers()
    .slice(0, 80)
    .map(({ name, text }) => [name, text] as const);
  const folder = folderWith(
    Object.fromEntries([
      ...flows,
      ["one.flow.yaml", `revision: ${REVISION}\nentry: a\nnodes:\n  a: {type: end}\n`],
      ["two.flow.yaml", `revision: ${REVISION}\nentry: a\nnodes:\n  a: {type: end}\n`],
    ]),
  );
  try {
    for (const format of ["json", "text", "sarif"]) {
      const alone = await cli(["check", "--format", format], { cwd: folder.path });
      assert.match(alone.out, /revision-claimed-twice/);
      const { stdout, status } = spawnSync(process.execPath, [path.resolve(bundle.path), "check", "--format", format], {
        cwd: folder.path,
        encoding: "utf8",
        maxBuffer: 1e9,
        env: { PATH: process.env.PATH ?? "" },
      });
      assert.equal(status, alone.code);
      assert.equal(stdout, alone.out, format);
    }
  } finally {
    folder.remove();
    bundle.remove();
  }
});
