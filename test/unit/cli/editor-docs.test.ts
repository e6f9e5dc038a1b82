/** docs/editors.md: what can be read by a machine is read, and every set-up starts the same program. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const doc = readFileSync("docs/editors.md", "utf8");
const blocks = (language: string) =>
  [...doc.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map((match) => match[1] ?? "");

test("every editor has its section", () => {
  for (const editor of ["Neovim", "Emacs (Eglot)", "Helix", "Zed", "Sublime Text", "Kate"])
    assert.ok(doc.includes(`\n## ${editor}\n`), editor);
});

test("the JSON of Sublime and Kate is JSON and starts the server", () => {
  const found = blocks("json").map((text) => JSON.stringify(JSON.parse(text)));
  assert.equal(found.length, 2);
  for (const text of found) assert.ok(text.includes('"command":["assistant-flow","lsp","--stdio"]'));
});

test("Neovim reads its set-up", (t) => {
  if (spawnSync("nvim", ["--version"]).status !== 0) return t.skip("Neovim is not installed here.");
  for (const text of blocks("lua")) {
    const check =
      "lua local ok, why = loadstring(io.read('*a')); if not ok then io.stderr:write(why) vim.cmd('cquit') end";
    const args = ["--headless", "-u", "NONE", "-i", "NONE", "-c", check, "-c", "qall!"];
    const { status, stderr } = spawnSync("nvim", args, { input: text, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  }
});
