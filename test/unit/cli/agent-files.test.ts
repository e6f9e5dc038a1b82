/** `assistant-flow new --agents`, and the set-up that docs/agents.md shows. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { cli, folderWith } from "./cli";

const INSTRUCTIONS = ".github/instructions/assistant-flow.instructions.md";

test("new --agents writes both files once, and keeps other content of AGENTS.md", async () => {
  const folder = folderWith({});
  const at = (name: string) => path.join(folder.path, name);
  const run = (...args: string[]) => cli(["new", ...args], { cwd: folder.path });
  const first = await run("--agents");
  assert.deepEqual([first.code, first.out], [0, `Wrote AGENTS.md.\nWrote ${INSTRUCTIONS}.\n`]);
  assert.match(readFileSync(at(INSTRUCTIONS), "utf8"), /^---\ndescription: .+\napplyTo: "\*\*\/\*\.flow\.yaml,/);
  assert.match((await run("--agents")).out, /up to date/);
  const section = readFileSync(at("AGENTS.md"), "utf8").replace(/^# .*\n\n/, "");
  writeFileSync(at("AGENTS.md"), `# Ours\r\n\r\nBe kind.\n${section.replace("Never push", "Always push")}\nThe end.`);
  await run("--agents");
  assert.equal(readFileSync(at("AGENTS.md"), "utf8"), `# Ours\r\n\r\nBe kind.\n${section}\nThe end.`);
  writeFileSync(at("AGENTS.md"), "# Ours");
  await run("--agents");
  assert.equal(readFileSync(at("AGENTS.md"), "utf8"), `# Ours\n\n${section}`);
  const both = await run("a.flow.yaml", "--agents");
  assert.equal(both.out, "Wrote a.flow.yaml.\nThe instructions for coding agents are up to date.\n");
  assert.equal((await run()).code, 64);
  folder.remove();
});

test("new --agents never follows a link", { skip: process.platform === "win32" }, async () => {
  const folder = folderWith({ "elsewhere.md": "x" });
  symlinkSync("elsewhere.md", path.join(folder.path, "AGENTS.md"));
  const { code, err } = await cli(["new", "--agents"], { cwd: folder.path });
  assert.equal(code, 1);
  assert.match(err, /this is a link/);
  assert.equal(readFileSync(path.join(folder.path, "elsewhere.md"), "utf8"), "x");
  folder.remove();
});

test("docs/agents.md: each set-up is JSON that starts the server, and every tool is in the table", () => {
  const page = readFileSync("docs/agents.md", "utf8");
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => JSON.parse(text));
  assert.equal(blocks.length, 4);
  for (const block of blocks) {
    const [servers] = Object.values(block) as Record<string, { command: string; args: string[] }>[];
    const server = servers?.["assistant-flow"];
    assert.deepEqual([server?.command, server?.args[0]], ["assistant-flow", "mcp"]);
  }
  for (const tool of ["check", "outline", "paths", "run", "test", "plan", "push"])
    assert.ok(page.includes(`| \`${tool}\` |`), tool);
});
