/** The steps of action.yml and the hooks for pre-commit, with hostile inputs, paths and names: they stay data. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { inProject } from "../../scripts/project";
import { inFolder, posix, runInProcess } from "./outsider";

interface Step {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly pass_filenames?: boolean;
}

const { runs } = parse(readFileSync(inProject("action.yml"), "utf8")) as { runs: { steps: readonly Step[] } };

const HOSTILE = [
  "$(touch pwned)",
  "`touch pwned`",
  '"; touch pwned; "',
  "'; touch pwned; '",
  "x\ntouch pwned\n",
  "--version",
  "-h",
  "$IFS$(touch pwned)",
  "* ?",
];

/** Runs a step with programs that record their arguments. */
function runStep(step: Step, env: Readonly<Record<string, string>>): { calls: string[][]; folder: string } {
  // A random name after a dash could be one of the hostile values.
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-action."));
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  for (const program of ["npm", "assistant-flow"]) {
    const file = path.join(bin, program);
    const code = `require("node:fs").appendFileSync(process.env.CALLS, JSON.stringify(process.argv.slice(1)) + "\\n")`;
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" -e '${code}' -- ${program} "$@"\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(path.join(folder, "a.flowtest.yaml"), "");
  const calls = path.join(folder, "calls");
  writeFileSync(calls, "");
  const files = Object.fromEntries(
    ["GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"].map((name) => [name, path.join(folder, name)]),
  );
  const paths = { PATH: `${bin}:${path.dirname(process.execPath)}:${process.env.PATH}`, RUNNER_TEMP: folder };
  const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
    cwd: folder,
    env: { ...paths, ...files, CALLS: calls, GITHUB_ACTION_PATH: folder, ...env },
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const lines = readFileSync(calls, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return { calls: lines.map((line) => JSON.parse(line) as string[]), folder };
}

test("no step puts an expression into its script", () => {
  for (const { name, run } of runs.steps) assert.ok(!run.includes("${{"), name);
});

test("an input reaches one program as one argument, and is never an option or a command", () => {
  let tried = 0;
  for (const step of runs.steps)
    for (const variable of Object.keys(step.env ?? {}))
      for (const value of HOSTILE) {
        const { calls, folder } = runStep(step, { [variable]: value });
        assert.ok(!existsSync(path.join(folder, "pwned")), `${step.name}: ${value}`);
        const [call] = calls.filter((args) => args.some((arg) => arg.includes(value)));
        const at = call?.findIndex((arg) => arg.includes(value)) ?? -1;
        const arg = call?.[at] ?? "";
        const isValue = arg.startsWith(`--base=${value}`) || arg === `--min-edges=${value}` || call?.[at - 1] === "--";
        assert.ok(isValue, `${step.name}: ${JSON.stringify(calls)}`);
        tried++;
        rmSync(folder, { recursive: true });
      }
  assert.equal(tried, 3 * HOSTILE.length);
});

const BROKEN = "entry: a\nnodes:\n  a: {type: message, instructions: Hi, edges: [{to: nope}]}\n";

for (const name of [
  "--settings=off.flow.yaml",
  "--rule=unknown-target=off.flow.yaml",
  "--fail-on=never.flow.yaml",
  "-h.flow.yaml",
  "--check.flow.yaml",
])
  test(`a hook for pre-commit takes a file called ${name} for a file`, posix, () =>
    inFolder(
      { "a.flow.yaml": BROKEN, [name]: BROKEN, "off.flow.yaml": '{"assistantFlow.rules": {"unknown-target": "off"}}' },
      async (folder) => {
        const hooks = parse(readFileSync(inProject(".pre-commit-hooks.yaml"), "utf8")) as readonly Hook[];
        for (const { id, entry, args = [], pass_filenames: hasNames = true } of hooks) {
          const [, ...command] = entry.split(" ");
          if (!hasNames) continue;
          const { code, out, err } = await runInProcess([...command, ...args, name, "a.flow.yaml"], { cwd: folder });
          const said = `${id}: ${out}${err}`;
          assert.equal(code, command[0] === "check" ? 1 : 0, said);
          if (command[0] === "check") assert.match(out, /2 flows checked: 2 errors/, said);
        }
      },
    ),
  );

test("the program that the action installs runs the action's own file, whatever its folder is called", () => {
  const [install] = runs.steps as [Step];
  for (const name of ["a b", "$(touch pwned)", "`touch pwned`", 'a"b', "a'b", "a\\b", "%s"]) {
    const home = mkdtempSync(path.join(tmpdir(), "assistant-flow-action-"));
    const action = path.join(home, name);
    mkdirSync(path.join(action, "dist"), { recursive: true });
    writeFileSync(path.join(action, "dist/cli.js"), "console.log('ours', process.argv.slice(2).join())");
    const { folder } = runStep(install, { PACKAGE: "", GITHUB_ACTION_PATH: action });
    const program = path.join(folder, "assistant-flow/bin/assistant-flow");
    const { stdout } = spawnSync(program, ["a b", "$c"], { cwd: folder, encoding: "utf8" });
    assert.equal(stdout.trim(), "ours a b,$c", name);
    assert.ok(!existsSync(path.join(folder, "pwned")), name);
    for (const each of [home, folder]) rmSync(each, { recursive: true });
  }
});
