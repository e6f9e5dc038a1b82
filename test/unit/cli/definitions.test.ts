/** Output generated from the definitions: help, docs/cli.md, completions. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { definitions, VERSION } from "../../../cli/definitions";
import { reference } from "../../../cli/definitions/reference-page";
import { completionScript } from "../../../cli/definitions/shell-completion";
import { loaders } from "../../../cli/loaders";
import { programOf } from "../../../cli/run";
import { filesBelow, manifest } from "../../../scripts/project";
import { cli } from "./cli";

test("docs/cli.md matches the definitions", () => {
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
    assert.doesNotMatch(out, /\(default: [^)]*\)\s+\(default: /, name);
    assert.deepEqual(await cli(["help", ...name.split(" ")]), { code, out, err });
  }
  assert.deepEqual(await cli(["help"]), await cli(["--help"]));
});

test("every command has a module, and every module a command", async () => {
  assert.deepEqual(Object.keys(loaders).sort(), definitions.map(({ name }) => name).sort());
  for (const load of Object.values(loaders)) assert.equal(typeof (await load()).run, "function");
});

/** The commands that a command line calls, and what was printed. */
async function parsed(line: string): Promise<{ readonly called: string[]; readonly said: string }> {
  const own = /assistant-flow ((?:[^|>)"]|"[^"]*")*)/.exec(line)?.[1] ?? "";
  const words = [...own.trim().matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
  const called: string[] = [];
  let said = "";
  const program = programOf(
    { out: () => undefined, err: (text) => (said += text) },
    async (definition) => void called.push(definition.name),
  );
  await program.parseAsync(words, { from: "user" }).catch(() => undefined);
  return { called, said };
}

test("every example is a valid command line", async () => {
  for (const { name, examples } of definitions)
    for (const { run } of examples) {
      const { called, said } = await parsed(run);
      assert.deepEqual(called, [name], `${run}: ${said}`);
    }
});

test("every command in the text of a document exists; test/house/docs-commands runs those in code blocks", async () => {
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "packages/cli/README.md", ...filesBelow("docs", ".md")];
  const lines = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`(assistant-flow [^`\n]+)`/g)].map(
      ([, line = ""]) => [page, line] as const,
    ),
  );
  assert.ok(lines.length > 100);
  const wrong: string[] = [];
  for (const [page, line] of lines) {
    // The name of a command alone is a mention, and --version runs no command.
    const named = line.replace("assistant-flow ", "");
    if (named === "--version" || definitions.some(({ name }) => name === named)) continue;
    const { called, said } = await parsed(line);
    if (called.length !== 1) wrong.push(`${page}: ${line}: ${said}`);
  }
  assert.deepEqual(wrong, []);
});

test("no option takes a key", () => {
  const flags = definitions.flatMap(({ options = [] }) => options.map((option) => option.flags));
  assert.deepEqual(
    flags.filter((flag) => /key|secret|token/i.test(flag) && flag !== "--key-stdin"),
    [],
  );
});

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** A script that prints what a shell would offer for the words typed so far. */
const asking: Record<Shell, (words: readonly string[]) => string> = {
  bash: (words) => `COMP_WORDS=(assistant-flow ${quoted(words)}); COMP_CWORD=${words.length}
_assistant_flow; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh's completion functions print the offers here; zsh itself selects those that fit the last word.
  zsh: (words) => `
_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
_arguments() { local each; for each; do print -rl -- "\${\${each#\\*}%%[\\[:]*}" \${(s: :)\${\${each##*\\(}%%\\)*}}; done }
_files() {}
words=(assistant-flow ${quoted(words)}); CURRENT=${words.length + 1}; _assistant_flow`,
  fish: (words) => `complete -C 'assistant-flow ${words.join(" ")}'`,
};

function offered(shell: Shell, ...words: string[]): string[] {
  const prepare = shell === "zsh" ? "compdef() { :; }\n" : "";
  const script = `${prepare}${completionScript(shell)}\n${asking[shell](words)}`;
  const plain = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const { stdout, stderr, status } = spawnSync(shell, [...plain, "-c", script], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const last = words.at(-1) as string;
  return stdout
    .split("\n")
    .map((line) => line.split("\t")[0] as string)
    .filter((word) => word !== "" && word.startsWith(last))
    .sort();
}

const has = (program: string) => spawnSync(program, ["-c", "true"]).status === 0;

for (const shell of SHELLS)
  test(`completions: ${shell} offers commands, their second words, options and choices`, {
    skip: !has(shell) && `there is no ${shell} here`,
  }, () => {
    assert.deepEqual(offered(shell, "ch"), ["check"]);
    assert.deepEqual(offered(shell, "keys", ""), ["create", "list", "revoke"]);
    assert.deepEqual(offered(shell, "check", "--fo"), ["--format"]);
    assert.ok(offered(shell, "check", "--format", "sa").includes("sarif"));
    assert.deepEqual(offered(shell, "completion", "f"), ["fish"]);
    assert.deepEqual(offered(shell, "keys", "create", "--sc"), ["--scope"]);
  });

test("completions of every shell name every command and option", () => {
  for (const shell of SHELLS) {
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
