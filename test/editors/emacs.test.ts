/** The language server in Emacs with Eglot, in batch mode: a client that nobody here wrote. */
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { inProject } from "../../scripts/project";
import { checkVisit, visit } from "./editor";

const hasEglot = "(progn (require 'package) (package-initialize) (require 'eglot))";

test("Emacs: diagnostics, completion, hover, definition, rename, code action, save → findings", async (t) => {
  if (spawnSync("emacs", ["-q", "--batch", "--eval", hasEglot]).status !== 0)
    return t.skip("Emacs with Eglot is not installed here.");
  const seen = await visit("emacs", () => ["-q", "--batch", "-l", inProject("test/editors/emacs.el")]);
  try {
    await checkVisit(seen, false);
  } finally {
    await seen.end();
  }
});
