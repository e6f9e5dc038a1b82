/** The bundled command line as a process: colors, pipes, exit codes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { explain } from "../../../cli/explain";
import { FileRefused } from "../../../files";
import { bundleCli } from "../../support/sandbox-process";

let bundle: Awaited<ReturnType<typeof bundleCli>>;
before(async () => {
  bundle = await bundleCli();
});
after(() => bundle?.remove());

function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  const own = `assistant_flow() { '${process.execPath}' '${path.resolve(bundle.path)}' "$@"; }\n`;
  return spawnSync("bash", ["--norc", "-c", own + script], { encoding: "utf8", env: { PATH, ...env } });
}

test("a pipe that closes early isn't an error", () => {
  const { stdout, stderr } = shell("assistant_flow check examples --format sarif | head -c 1");
  assert.deepEqual([stdout, stderr], ["{", ""]);
});

test("colors: none in a pipe, by FORCE_COLOR also there, never with FORCE_COLOR=0", () => {
  const check = "assistant_flow check examples";
  assert.ok(!shell(check).stdout.includes("\x1b["));
  assert.ok(shell(check, { FORCE_COLOR: "1" }).stdout.includes("\x1b["));
  assert.ok(!shell(check, { FORCE_COLOR: "0" }).stdout.includes("\x1b["));
});

test("exit codes of the process; a flow on standard input", () => {
  assert.equal(shell("assistant_flow check examples").status, 0);
  assert.equal(shell("printf 'entry: a\\nnodes:\\n  b: {type: end}\\n' | assistant_flow check -").status, 1);
  assert.equal(shell("assistant_flow nonsense").status, 64);
  assert.equal(shell("assistant_flow status").status, 3);
});

test("a rejected file isn't reported as a crash", () => {
  const refused = new FileRefused("a.flow.yaml", "this is a named pipe, not a file.");
  assert.deepEqual(explain(refused, {}), { message: refused.message, code: 1 });
});
