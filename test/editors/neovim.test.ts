/** The language server in Neovim, headless: a client that nobody here wrote. */
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { inProject } from "../../scripts/project";
import { checkVisit, visit } from "./editor";

test("Neovim: diagnostics, completion, hover, definition, rename, code action, save → findings", async (t) => {
  if (spawnSync("nvim", ["--version"]).status !== 0) return t.skip("Neovim is not installed here.");
  const seen = await visit("nvim", (file) => [
    ...["--headless", "-u", "NONE", "-i", "NONE", "-n"],
    ...["-c", `luafile ${inProject("test/editors/neovim.lua")}`, file],
  ]);
  try {
    await checkVisit(seen, true);
  } finally {
    await seen.end();
  }
});
