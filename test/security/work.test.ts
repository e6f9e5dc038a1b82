/**
 * Small files that require more work than any machine can do: every command finishes, reports what it left out, and
 * still checks small parts. Leaving something out proves that work is counted; no test here measures time.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cpuOf } from "../../bench/measure";
import { FlowDocument } from "../../flow";
import { testAlong, wayAlong, wayInto } from "../../flow/debug";
import { programOf, SharedWork } from "../../flow/run";
import { generateTests, readTestFile, runTest } from "../../flow/test";
import { inProject } from "../../scripts/project";
import { Client, inTime } from "../language/client";
import { ONE_IN } from "../support/cases";
import { inFolder, posix, runInProcess } from "./outsider";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const POLICIES =
  "policies:\n  - {id: p, every_path_to: {type: end}, passes: {node: zz}}\n  - {id: q, after: entry, always: {type: end}}\n";

/** Each flow calls the next one twice: the first one has about 10^12 nodes with all of them inlined. */
const doubling = (count = 40): Record<string, string> =>
  Object.fromEntries(
    numbers(count).map((number) => {
      const calls = (node: string, to: string) =>
        `  ${node}: {type: component, component: ${idOf(number + 1)}, edges: [{to: ${to}}]}\n`;
      const nodes = number < count - 1 ? calls("a", "b") + calls("b", "c") : "  a: {type: message, edges: [{to: c}]}\n";
      const text = `assistant: ${idOf(number)}\nentry: a\nnodes:\n${nodes}  c: {type: end}\n`;
      return [`${String(number).padStart(2, "0")}.flow.yaml`, text];
    }),
  );

const round = "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: message, edges: [{to: a}]}\n";

/** Every condition asks about another of many variables, so there are 3^60 combinations. */
const variables = numbers(60).map((number) => `v${number}`);
const enums = `entry: n0\ncontext_variables:\n${variables
  .map((name) => `  ${name}: {type: enum, enum_values: [a, b, c]}\n`)
  .join("")}nodes:\n${variables
  .map((name, at) => `  n${at}: {type: collect, variable: ${name}, instructions: Ask., edges: [{to: n${at + 1}}]}\n`)
  .join("")}  n60: {type: decision, edges: [${variables
  .map((name, at) => `{to: m${at}, when: "{{${name}}} is a"}`)
  .join(", ")}, {to: e}]}\n${variables
  .map((_, at) => `  m${at}: {type: decision, edges: [{to: n60, when: "{{v${(at + 1) % 60}}} is b"}, {to: e}]}\n`)
  .join("")}  e: {type: end}\n`;

/** One node with very many edges, each to a node with an edge back. */
const fan = (count: number) =>
  `entry: a\nnodes:\n  a:\n    type: message\n    edges:\n${numbers(count)
    .map((at) => `      - {to: m${at}, when: it is ${at}}\n`)
    .join("")}${numbers(count)
    .map((at) => `  m${at}: {type: message, edges: [{to: a, when: again}, {to: e, when: done}]}\n`)
    .join("")}  e: {type: end}\n`;

/** Every node has an edge to every other one. */
const mesh = (count: number) =>
  `entry: n0\nnodes:\n${numbers(count)
    .map(
      (from) => `  n${from}: {type: message, edges: [${numbers(count).map((to) => `{to: n${to}, when: w${to}}`)}]}\n`,
    )
    .join("")}`;

const flowFiles = (flows: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(flows).map(([name, text]) => [`${name}.flow.yaml`, text]));

const hostile: Readonly<Record<string, string>> = { round, enums, fan: fan(1500), mesh: mesh(80) };

const endless = (count: number) =>
  `flow: round.flow.yaml\ntests:\n${numbers(count)
    .map((at) => `  - {name: t${at}}\n`)
    .join("")}`;

test("thousands of endless tests end, in every command that runs them", () => {
  const flow = "small.flow.yaml";
  const files = {
    "round.flow.yaml": round,
    "round.flowtest.yaml": endless(2_000),
    [flow]: "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: end}\n",
    // The last file: the small run in it is checked, whatever came before.
    "small.flowtest.yaml": `flow: ${flow}\ntests:\n  - {name: small, expect: {path: [a, b]}}\n`,
  };
  return inFolder(files, async (folder) => {
    // The formats share the runs, so `npm test` tries one.
    for (const format of ONE_IN === 1 ? ["text", "json", "junit", "github"] : ["json"]) {
      const { out } = await runInProcess(["test", "--format", format], { cwd: folder });
      assert.ok(out.includes("Not checked: too large."), format);
      if (format !== "json") continue;
      const { tests } = JSON.parse(out) as { tests: { name: string; status: string; failures: { kind: string }[] }[] };
      assert.deepEqual(new Set(tests.flatMap(({ failures }) => failures.map(({ kind }) => kind))).size, 2);
      assert.equal(tests.find(({ name }) => name === "small")?.status, "passed");
    }
    for (const args of [["check"], ["diff", "round.flow.yaml", flow], ["test", "--coverage"]])
      await runInProcess(args, { cwd: folder });
  });
});

test("flows whose components double end every command", () => {
  const tests = `flow: 00.flow.yaml\ntests:\n${numbers(50)
    .map((at) => `  - {name: t${at}}\n`)
    .join("")}`;
  const files = { ...doubling(), "assistant-flow.policies.yaml": POLICIES, "a.flowtest.yaml": tests };
  return inFolder(files, async (folder) => {
    for (const args of [
      ["policies"],
      ["check"],
      ["test"],
      ["test", "--generate", "00.flow.yaml"],
      ["graph", "00.flow.yaml"],
      ["diff", "00.flow.yaml", "01.flow.yaml"],
      ["merge", "00.flow.yaml", "01.flow.yaml", "02.flow.yaml", "--output", "merged.flow.yaml"],
    ]) {
      const { err } = await runInProcess(args, { cwd: folder });
      assert.ok(!/\n\s+at /.test(err), `${args.join(" ")}: ${err}`);
    }
    const client = await Client.start({ folders: [pathToFileURL(folder).href] });
    try {
      const opened = Object.entries(files).filter(([name]) => /^0[01]|test|policies/.test(name));
      for (const [name, text] of opened) {
        const uri = pathToFileURL(`${folder}/${name}`).href;
        await client.open(uri, text);
        await inTime(client.request("textDocument/diagnostic", { textDocument: { uri } }), () => name, 120_000);
      }
    } finally {
      await client.stop();
    }
  });
});

test("calls are traced in any flow; one that takes too much work is reported as such", () => {
  const call = (id: string, turns: number) =>
    JSON.stringify({
      id,
      transcript: numbers(turns).map((at) => ({
        user: at % 2 ? "customer" : "agent",
        text: `Say word${at} thing${at}`,
      })),
    });
  /** Each node has a unique text. */
  const quotes = `entry: n0\nnodes:\n${numbers(2_400)
    .map(
      (at) =>
        `  n${at}: {type: message, instructions: 'Say "a${at} b${at} c${at} d${at}".', edges: [{to: n${at + 1}}]}\n`,
    )
    .join("")}  n2400: {type: end}\n`;
  const files = { ...doubling(), ...flowFiles({ mesh: mesh(80), quotes, fan: fan(1500), enums, round }) };
  return inFolder({ ...files, "calls.jsonl": `${call("short", 3)}\n${call("long", 3_000)}\n` }, async (folder) => {
    for (const [index, flow] of ["mesh", "quotes", "fan", "00", "enums", "round"].entries()) {
      const args = ["--flow", `${flow}.flow.yaml`, "--calls", "calls.jsonl"];
      const trace = await runInProcess(["calls", "trace", ...args], { cwd: folder });
      assert.equal(trace.code, 0, trace.err);
      assert.match(trace.out, /^short: (?:placed|partly|unplaced)$/m, flow);
      if (index >= 3) continue;
      assert.match(trace.out, /^long: not checked: too large$/m, flow);
      // The other reports are made of the same traces, so `npm test` tries them with one flow.
      if (ONE_IN > 1 && index > 0) continue;
      const report = await runInProcess(["calls", "report", ...args], { cwd: folder });
      assert.match(report.out, /^2 calls: .* Not checked: 1 too large\.$/m, flow);
      const json = await runInProcess(["calls", "trace", ...args, "--format", "json"], { cwd: folder });
      assert.match(json.out, /"not_checked":"too large"/, flow);
    }
  });
});

test("tests are generated for any flow, with a list of omissions", () => {
  for (const [name, text] of Object.entries(hostile)) {
    const { unreachable } = generateTests(programOf(FlowDocument.read(text)));
    const reasons = new Set(unreachable.map(({ reason }) => reason));
    assert.ok(reasons.size > 0, name);
  }
  return inFolder({ "a.flow.yaml": fan(3_000), "b.flow.yaml": mesh(120) }, async (folder) => {
    for (const flow of ["a.flow.yaml", "b.flow.yaml"])
      await runInProcess(["test", "--generate", flow], { cwd: folder });
  });
});

test("an interrupted `test --generate` ends at once and writes nothing", posix, () =>
  inFolder({ "a.flow.yaml": enums, "old.flowtest.yaml": "# mine\n" }, async (folder) => {
    for (const output of ["new.flowtest.yaml", "old.flowtest.yaml"])
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        const args = [inProject("dist/cli.js"), "test", "--generate", "a.flow.yaml", "--output", output];
        const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
        const ended = once(child, "exit");
        // By then it is running.
        while (child.exitCode === null && (cpuOf(child.pid) ?? Number.POSITIVE_INFINITY) < 700)
          await new Promise((resolve) => setTimeout(resolve, 10));
        child.kill(signal);
        assert.deepEqual(await ended, [null, signal], output);
        assert.deepEqual(readdirSync(folder).sort(), ["a.flow.yaml", "old.flowtest.yaml"]);
        assert.equal(readFileSync(`${folder}/old.flowtest.yaml`, "utf8"), "# mine\n");
      }
  }),
);

test("searching a path to a node or along nodes has a budget", () => {
  const flows = new Map(
    Object.entries(doubling()).map(([, text], at) => [idOf(at), programOf(FlowDocument.read(text))]),
  );
  const flowOf = (id: string) => flows.get(id);
  const first = flows.get(idOf(0));
  assert.ok(first);
  assert.equal(wayInto(first, "c", flowOf), undefined);
  assert.equal(wayAlong(first, ["a", "b", "c"], flowOf), undefined);
  assert.equal(testAlong(first, ["a", "b", "c"], flowOf), undefined);
  for (const [name, text] of Object.entries(hostile)) {
    const program = programOf(FlowDocument.read(text));
    const target = [...program.nodes.keys()].at(-1) as string;
    // Only that it finishes matters here, not the result.
    assert.doesNotThrow(() => wayInto(program, target), name);
  }
});

test("values that double in components end a run: text, objects and outputs", () => {
  const self = (inputs: string, more = "") =>
    `assistant: ${idOf(1)}\nentry: a\n${more}nodes:\n  a: {type: component, component: ${idOf(1)}, inputs: ${inputs}, saves: {x: $.x}, edges: [{to: b}]}\n  b: {type: end}\n`;
  for (const text of [
    self('{x: "{{x}}{{x}}"}'),
    self('{x: {l: "{{x}}", r: "{{x}}"}}'),
    self('{x: ["{{x}}", "{{x}}"]}'),
  ]) {
    const program = programOf(FlowDocument.read(text));
    const [given] = readTestFile("flow: a.flow.yaml\ntests:\n  - {name: t, given: {x: abcd}}\n").tests;
    assert.ok(given);
    const { failures } = runTest(given, program, () => program);
    assert.match(failures[0]?.message ?? "", /values grow without limit/);
  }
  const outer = programOf(FlowDocument.read(self('{x: "{{x}}"}').replace("to: b", "to: a")));
  const inner = programOf(
    FlowDocument.read('entry: b\ncomponent_outputs:\n  - {name: x, value: "{{x}}{{x}}"}\nnodes:\n  b: {type: end}\n'),
  );
  const [given] = readTestFile("flow: a.flow.yaml\ntests:\n  - {name: t, given: {x: abcd}}\n").tests;
  assert.ok(given);
  const { failures } = runTest(given, outer, () => inner);
  assert.match(failures[0]?.message ?? "", /values grow without limit/);
});

test("runs share one budget, with a part for each", () => {
  const program = programOf(FlowDocument.read(round));
  const [own] = readTestFile(endless(1)).tests;
  assert.ok(own);
  const work = new SharedWork();
  const kinds = numbers(2_000).map(() => runTest(own, program, () => undefined, work.forTest()).failures[0]?.kind);
  // Some runs finish; for the others no budget is left, on any machine.
  assert.equal(kinds.filter((kind) => kind === "endless").length, 205);
  assert.equal(kinds.filter((kind) => kind === "too-large").length, 1_795);
});
