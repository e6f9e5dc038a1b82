/** What is made from the definitions: help, docs/cli.md, completions. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { completionScript } from "../../../cli/completion";
import { definitions, VERSION } from "../../../cli/definitions";
import { reference } from "../../../cli/reference";
import { programOf } from "../../../cli/run";
import { manifest } from "../../../scripts/project";
import { cli } from "./cli";

test("docs/cli.md is what the definitions say", () => {
  assert.equal(readFileSync("docs/cli.md", "utf8"), reference(), "run: npm run docs:cli");
});

test("the version is the package's", async () => {
  assert.equal(VERSION, manifest.version);
  assert.deepEqual(await cli(["--version"]), { code: 0, out: `${VERSION}\n`, err: "" });
});

test("every command has help with examples, on standard output", async () => {
  for (const { name, examples, options = [] } of definitions) {
    const { code, out, err } = await cli([...name.split(" "), "--help"]);
    assert.deepEqual([code, err], [0, ""]);
    for (const { run } of examples) assert.ok(out.includes(run), `${name}: ${run}`);
    for (const { flags } of options) assert.ok(out.includes(flags), `${name} ${flags}`);
    assert.ok(examples.length > 0, name);
  }
});

test("every example is a command line that the parser takes", async () => {
  for (const { name, examples } of definitions)
    for (const { run } of examples) {
      const own = /assistant-flow ((?:[^|>)"]|"[^"]*")*)/.exec(run)?.[1] ?? "";
      const words = [...own.trim().matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
      const called: string[] = [];
      const said: string[] = [];
      const program = programOf({ out: () => undefined, err: (text) => said.push(text) }, async (definition) => {
        called.push(definition.name);
      });
      await program.parseAsync(words, { from: "user" }).catch(() => undefined);
      assert.deepEqual(called, [name], `${run}: ${said.join("")}`);
    }
});

test("no option takes a key", () => {
  const flags = definitions.flatMap(({ options = [] }) => options.map((option) => option.flags));
  assert.deepEqual(
    flags.filter((flag) => /key|secret|token/i.test(flag) && flag !== "--key-stdin"),
    [],
  );
});

/** What bash would offer for the words typed so far. */
function offered(...words: string[]): string[] {
  const script = `${completionScript("bash")}
COMP_WORDS=(assistant-flow ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
_assistant_flow; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.split("\n").filter(Boolean);
}

const has = (program: string) => spawnSync(program, ["-c", "true"]).status === 0;

test("completions: bash offers commands, their second words, options and choices", (t) => {
  if (!has("bash")) return t.skip("There is no bash here.");
  assert.deepEqual(offered("ch"), ["check"]);
  assert.deepEqual(offered("keys", ""), ["list", "create", "revoke"]);
  assert.deepEqual(offered("check", "--fo"), ["--format"]);
  assert.deepEqual(offered("check", "--format", "sa"), ["sarif"]);
  assert.deepEqual(offered("completion", "f"), ["fish"]);
  assert.deepEqual(offered("keys", "create", "--sc"), ["--scope"]);
});

for (const shell of ["zsh", "fish"] as const)
  test(`completions: ${shell} reads its script`, { skip: !has(shell) && `no ${shell} here` }, () => {
    const { status, stderr } = spawnSync(shell, ["-n"], { input: completionScript(shell), encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });

test("completions of every shell name every command and option", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const script = completionScript(shell);
    for (const { name, options = [] } of definitions) {
      for (const word of name.split(" ")) assert.ok(script.includes(word), `${shell} ${word}`);
      for (const { flags } of options) {
        const flag = flags.split(" ")[0] as string;
        assert.ok(script.includes(shell === "fish" ? `-l ${flag.slice(2)}` : flag), `${shell} ${flag}`);
      }
    }
  }
});
