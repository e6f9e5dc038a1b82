/**
 * Calls contain text from callers, and their file may come from anywhere: `calls trace`, `calls report` and `diff
 * --calls` finish, and escape everything.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sizeOf } from "../support/cases";
import { UNSEEN } from "./hostile-texts";
import { inFolder, posix, runInProcess } from "./outsider";

const FLOW = `entry: a
context_variables:
  x: {type: string}
nodes:
  a: {type: collect, variable: x, edges: [{to: b, when: "{{x}} is known"}, {to: c}]}
  b: {type: message, instructions: Say "hello there"., edges: [{to: c, when: the caller agrees}, {to: a}]}
  c: {type: end}
`;

/** Every node has edges to many others, so there are very many runs. */
const MESH = `entry: n0
nodes:
${Array.from({ length: 100 }, (_, at) => {
  const edges = Array.from({ length: 30 }, (_, to) => `{to: n${(at * 7 + to) % 100}, when: say ${to}}`);
  return `  n${at}: {type: message, instructions: hello, edges: [${edges.join(", ")}, {to: end}]}`;
}).join("\n")}
  end: {type: end}
`;

const turns = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => ({ user: at % 2 ? "customer" : "agent", text: `${text} ${at}` }));
const call = { id: "c1", transcript: turns(4, "hello there"), variables: { x: "1" }, callEndedBy: "ASSISTANT" };
const signs = "\u001b[2J\u202e\u{e0041}\nERROR: forged\n::error::x";

const lines = [
  call,
  { ...call, id: signs, transcript: turns(3, signs), variables: { [signs]: signs }, callEndedReason: signs },
  { ...call, id: "long", transcript: turns(sizeOf(1_000, 5_000), "hello there my friend") },
  { ...call, id: "one turn", transcript: [{ user: "agent", text: "hello ".repeat(sizeOf(20_000, 100_000)) }] },
  { ...call, id: "types", transcript: "x", variables: [1], callEndedBy: {} },
  { ...call, id: "deep", variables: { x: JSON.parse("[".repeat(3_000) + "]".repeat(3_000)) } },
  { ...call, id: { a: 1 } },
  {
    ...call,
    id: "many",
    variables: Object.fromEntries(Array.from({ length: sizeOf(5_000, 20_000) }, (_, at) => [`v${at}`, at])),
  },
  {},
].map((each) => JSON.stringify(each));
const broken = ["{", "null", "[]", "5", '"x"', "[".repeat(100_000), '{"__proto__": {"id": "x"}}', "\0", "{}{}"];

test("every command answers to every file of calls", posix, () => {
  const files = { "a.flow.yaml": FLOW, "mesh.flow.yaml": MESH, "calls.jsonl": [...lines, ...broken].join("\n") };
  return inFolder(files, async (folder) => {
    execFileSync("mkfifo", [path.join(folder, "pipe.jsonl")]);
    const forged = "x\nERROR: forged\r\nERROR: forged.jsonl";
    writeFileSync(path.join(folder, forged), "{\n");
    for (const calls of ["calls.jsonl", "pipe.jsonl", "/proc/self/environ", "/proc/self/mem", ".", forged])
      for (const command of [
        ["calls", "trace", "--flow", "a.flow.yaml"],
        ["calls", "report", "--flow", "mesh.flow.yaml", "--format", "markdown"],
        ["diff", "a.flow.yaml", "mesh.flow.yaml"],
      ]) {
        const { code, out, err } = await runInProcess([...command, "--calls", calls], { cwd: folder });
        const what = `${command.join(" ")} ${calls}: ${code} ${err.slice(0, 300)}`;
        assert.ok(code !== null && code !== 70, what);
        assert.ok(!UNSEEN.test(out + err), what);
        assert.ok(!/\n\s+at .*:\d+:\d+|^ERROR: forged|^::error|PATH=/m.test(out + err), what);
        if (calls === forged) assert.match(out + err, /forged/, what);
        if (calls === "calls.jsonl") assert.match(err, /calls\.jsonl:11: skipped, because this line isn't a call/);
      }
  });
});
