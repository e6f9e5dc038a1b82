/**
 * The plugin in editors/nvim, in a headless Neovim: file types, the language server, the debugger, and :checkhealth.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { inProject } from "../../scripts/project";
import { checkVisit, type Seen, visit } from "./editor";

/** Reported by Neovim's script only. */
interface SeenInNeovim extends Seen {
  readonly filetype: string;
  readonly health: string;
  readonly tool: string;
  readonly dap: { readonly adapter: { readonly command: string; readonly args: readonly string[] } };
}

test("Neovim: diagnostics, completion, hover, definition, rename, code action, save → findings, tools by name", async (t) => {
  if (spawnSync("nvim", ["--version"]).status !== 0) return t.skip("Neovim is not installed here.");
  const debuggerStandIn = "lua package.loaded.dap = { adapters = {}, configurations = {} }";
  const seen = await visit("nvim", (file, editors) => [
    ...["--headless", "--clean", "-n", "--cmd", debuggerStandIn],
    ...["--cmd", `set runtimepath^=${path.join(editors, "nvim")}`],
    ...["-c", `luafile ${inProject("test/editors/neovim.lua")}`, file],
  ]);
  try {
    await checkVisit(seen, true);
    const { filetype, dap, health, tool } = seen.seen as SeenInNeovim;
    assert.equal(filetype, "assistant-flow");
    assert.deepEqual([dap.adapter.command, ...dap.adapter.args], ["assistant-flow", "dap"]);
    assert.equal(tool, "tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003", "completed by name");
    assert.match(health, /Language server: .*installed\/bin\/assistant-flow/);
    assert.match(health, /registered with nvim-dap/);
  } finally {
    await seen.end();
  }
});
