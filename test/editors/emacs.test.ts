/** The package in editors/emacs, in Emacs with Eglot, in batch mode. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { inProject } from "../../scripts/project";
import { checkVisit, type Seen, visit } from "./editor";

const hasEglot = "(progn (require 'package) (package-initialize) (require 'eglot))";

test("Emacs: diagnostics, completion, hover, definition, rename, code action, save → findings", async (t) => {
  if (spawnSync("emacs", ["-q", "--batch", "--eval", hasEglot]).status !== 0)
    return t.skip("Emacs with Eglot is not installed here.");
  const seen = await visit("emacs", (_, editors) => [
    "-q",
    "--batch",
    "-L",
    path.join(editors, "emacs"),
    "-l",
    inProject("test/editors/emacs.el"),
  ]);
  try {
    await checkVisit(seen, false);
    assert.equal((seen.seen as Seen & { mode: string }).mode, "assistant-flow-mode");
  } finally {
    await seen.end();
  }
});
