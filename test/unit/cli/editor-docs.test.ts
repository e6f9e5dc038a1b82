/** docs/editors.md and editors/: every configuration can be parsed, and starts the same program for the same files. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const doc = readFileSync("docs/editors.md", "utf8");
const blocks = (language: string) =>
  [...doc.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map((match) => match[1] ?? "");

test("every editor has its section", () => {
  for (const editor of ["Neovim", "Emacs (Eglot)", "Helix", "Kakoune", "Zed", "Sublime Text", "Kate"])
    assert.ok(doc.includes(`\n## ${editor}\n`), editor);
});

test("the JSON of Sublime and Kate is JSON and starts the server", () => {
  const found = blocks("json").map((text) => JSON.stringify(JSON.parse(text)));
  assert.equal(found.length, 2);
  for (const text of found) assert.ok(text.includes('"command":["assistant-flow","lsp","--stdio"]'));
});

test("Neovim accepts its configuration", (t) => {
  if (spawnSync("nvim", ["--version"]).status !== 0) return t.skip("Neovim is not installed here.");
  for (const text of blocks("lua")) {
    const check =
      "lua local ok, why = loadstring(io.read('*a')); if not ok then io.stderr:write(why) vim.cmd('cquit') end";
    const args = ["--headless", "-u", "NONE", "-i", "NONE", "-c", check, "-c", "qall!"];
    const { status, stderr } = spawnSync("nvim", args, { input: text, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  }
});

test("the files that the page names exist", () => {
  const named = [...doc.matchAll(/`(editors\/[^`]+)`/g)].map(([, file = ""]) => file);
  assert.deepEqual(
    named.filter((file) => !existsSync(file)),
    [],
  );
  for (const editor of ["nvim", "emacs", "helix", "kakoune"])
    assert.ok(
      named.some((file) => file.startsWith(`editors/${editor}`)),
      editor,
    );
});

/** As globs or regular expressions, as each editor writes them. */
const files = {
  "editors/helix/languages.toml": [
    "*.flow.yaml",
    "*.flow.yml",
    "*.flowtest.yaml",
    "assistant-flow.policies.yaml",
    "assistant-flow.project.yaml",
  ],
  "editors/kakoune/assistant-flow.kak": ["(flow|flowtest)\\.ya?ml", "assistant-flow\\.(policies|project)\\.yaml"],
  "editors/nvim/lua/assistant-flow/init.lua": [
    "*.flow.yaml",
    "*.flow.yml",
    "*.flowtest.yaml",
    "assistant-flow.policies.yaml",
    "assistant-flow.project.yaml",
  ],
  "editors/emacs/assistant-flow.el": [
    "flow\\\\.ya?ml",
    "flowtest\\\\.ya?ml",
    "assistant-flow\\\\.policies\\\\.yaml",
    "assistant-flow\\\\.project\\\\.yaml",
  ],
};

for (const [file, patterns] of Object.entries(files))
  test(`${file} starts the server for flows, tests, policies and project files`, () => {
    const text = readFileSync(file, "utf8");
    assert.match(text, /"assistant-flow"[\s\S]*"lsp",? "--stdio"/);
    for (const pattern of patterns) assert.ok(text.includes(pattern), pattern);
  });

test("the version of the Emacs package is the project's", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.match(readFileSync("editors/emacs/assistant-flow.el", "utf8"), new RegExp(`^;; Version: ${version}$`, "m"));
});
