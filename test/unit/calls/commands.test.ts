/** `calls trace`, `calls report` and `diff --calls`, with good and bad input. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { inProject } from "../../../scripts/project";
import { cli, folderWith } from "../cli/cli";

const billing = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
const tests =
  "flow: billing.flow.yaml\ntests:\n  - name: goodbye\n    steps: [{take: goodbye}]\n    expect: {ends: goodbye}\n";

/** Strings that no output may contain. */
const planted = ["Zebulon Quark", "555-0199", "my cat is purple", "zq@example.com", "90210-77"];
const call = (id: string, more: object = {}) => ({
  id,
  firstName: "Zebulon",
  lastName: "Quark",
  phone: "555-0199",
  email: "zq@example.com",
  transcript: [
    { id: 0, created_at: "", user: "assistant", text: "Welcome, how can I help you?" },
    { id: 1, created_at: "", user: "caller", text: "Zebulon Quark here, my cat is purple, and I have a bill." },
    { id: 2, created_at: "", user: "assistant", text: "Can I have the account number?" },
    { id: 3, created_at: "", user: "caller", text: "90210-77" },
    { id: 4, created_at: "", user: "assistant", text: "You are on the plus plan. Goodbye and thank you!" },
  ],
  variables: { account_id: "90210-77", plan: "plus", undeclared: "555-0199" },
  callEndedReason: "ENDED",
  callEndedBy: "ASSISTANT",
  summary: "my cat is purple",
  ...more,
});

let folder: ReturnType<typeof folderWith>;
const run = (...args: string[]) => cli(args, { cwd: folder.path });

before(() => {
  const lines = [
    JSON.stringify(call("c1")),
    '{"id": "broken", "text": "my cat is purple"',
    "",
    "[1, 2]",
    JSON.stringify(call("c2", { callEndedReason: "WARM_TRANSFER", variables: {} })),
    JSON.stringify(call("c3", { transcript: [], callEndedReason: "NO_ANSWER", variables: null })),
  ];
  folder = folderWith({
    "billing.flow.yaml": billing,
    "new.flow.yaml": billing.replace("- to: tell_plan", "- to: hand_over"),
    "billing.flowtest.yaml": tests,
    "broken.flow.yaml": "entry: a\nnodes: [",
    "empty.flow.yaml": "nodes:\n  a: {type: end}\n",
    "call.json": JSON.stringify(call("c1"), null, 2),
    "page.json": JSON.stringify({ calls: [call("c1")] }),
    "not-a-call.json": '"my cat is purple"',
    "calls.jsonl": `${lines.join("\n")}\n`,
    "assistant-flow.policies.yaml":
      "policies:\n  - {id: plan-first, every_path_to: {type: transfer}, passes: {node: tell_plan}}\n",
  });
});
after(() => folder.remove());

test("`calls trace` prints the fixed shape, from a call or a page with one", async () => {
  for (const file of ["call.json", "page.json"]) {
    const { code, out } = await run(
      "calls",
      "trace",
      "--flow",
      "billing.flow.yaml",
      "--call",
      file,
      "--format",
      "json",
    );
    assert.equal(code, 0);
    const trace = JSON.parse(out);
    assert.deepEqual(Object.keys(trace), ["version", "flow", "call", "verdict", "steps", "unexplained_turns", "end"]);
    assert.deepEqual([trace.version, trace.flow, trace.call, trace.verdict], [1, "billing.flow.yaml", "c1", "placed"]);
    assert.deepEqual(trace.end, { node: "goodbye", certainty: "certain" });
  }
  assert.match(
    (await run("calls", "trace", "--flow", "billing.flow.yaml", "--call", "call.json")).out,
    /^c1: placed\n {2}greet \(certain/,
  );
});

test("`calls trace --calls` prints one object per line, and skips broken lines by their number without quoting them", async () => {
  const { code, out, err } = await run(
    "calls",
    "trace",
    "--flow",
    "billing.flow.yaml",
    "--calls",
    "calls.jsonl",
    "--format",
    "json",
  );
  assert.equal(code, 0);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((each) => each.call),
    ["c1", "c2", "c3"],
  );
  assert.equal(lines[2].verdict, "unplaced");
  assert.equal(lines[2].end, null);
  assert.equal(
    err,
    "calls.jsonl:2: skipped, because this line isn't a call.\ncalls.jsonl:4: skipped, because this line isn't a call.\n",
  );
});

test("`calls report` counts, and contains nothing of any caller in any format", async () => {
  const report = async (format: string) =>
    run("calls", "report", "--flow", "billing.flow.yaml", "--calls", "calls.jsonl", "--format", format);
  const { out } = await report("json");
  const json = JSON.parse(out);
  assert.deepEqual(Object.keys(json), [
    "version",
    "flow",
    "calls",
    "placed",
    "partly",
    "unplaced",
    "nodes",
    "edges",
    "ends",
    "reasons",
  ]);
  assert.deepEqual([json.calls, json.placed, json.unplaced], [3, 2, 1]);
  assert.deepEqual(json.nodes.greet, { calls: 2, certain: 2, left: 0 });
  assert.equal(json.edges["greet:1"].tested, true);
  assert.equal(json.edges["greet:0"].tested, false);
  assert.deepEqual(json.ends, { goodbye: 1, hand_over: 1 });
  assert.deepEqual(json.reasons, { ENDED: 1, NO_ANSWER: 1, WARM_TRANSFER: 1 });
  for (const format of ["text", "json", "markdown"]) {
    const ran = await report(format);
    for (const text of planted) assert.ok(!(ran.out + ran.err).includes(text), `${format}: ${text}`);
  }
});

test("`diff --calls` names the calls that change, and the policies they break", async () => {
  const { out, code } = await run(
    "diff",
    "billing.flow.yaml",
    "new.flow.yaml",
    "--calls",
    "calls.jsonl",
    "--format",
    "json",
  );
  assert.equal(code, 2);
  const { calls } = JSON.parse(out);
  assert.deepEqual(calls, {
    calls: 3,
    same: 1,
    other_path: 1,
    ends_elsewhere: 1,
    breaks_policy: 1,
    cant_tell: 1,
    groups: [
      { change: '"look_up" leads to "hand_over"', calls: 1, ends_elsewhere: 1, breaks_policy: 1, example: "c1" },
    ],
  });
  for (const format of ["text", "markdown"]) {
    const ran = await run("diff", "billing.flow.yaml", "new.flow.yaml", "--calls", "calls.jsonl", "--format", format);
    assert.match(ran.out, /Of 3 calls, 1 would take another path/);
    for (const text of planted) assert.ok(!ran.out.includes(text));
  }
});

test("bad input has a clear message", async () => {
  const message = async (...args: string[]) => {
    const { code, err } = await run("calls", ...args);
    return [code, err.trim()];
  };
  const [code, err] = await message("trace", "--flow", "broken.flow.yaml", "--call", "call.json");
  assert.equal(code, 1);
  assert.match(String(err), /broken\.flow\.yaml has a syntax error\. Line 2/);
  assert.match(
    String((await message("trace", "--flow", "empty.flow.yaml", "--call", "call.json"))[1]),
    /has no entry node/,
  );
  assert.match(
    String((await message("trace", "--flow", "billing.flow.yaml", "--call", "missing.json"))[1]),
    /missing\.json: no such file\./,
  );
  assert.match(
    String((await message("trace", "--flow", "billing.flow.yaml", "--call", "not-a-call.json"))[1]),
    /not-a-call\.json isn't a call\./,
  );
  assert.match(String((await message("trace", "--flow", "billing.flow.yaml"))[1]), /Pass either --call/);
  assert.match(String((await message("trace", "--call", "call.json"))[1]), /--flow FILE/);
  assert.match(
    String((await message("report", "--flow", "billing.flow.yaml", "--calls", path.join("no", "calls.jsonl")))[1]),
    /no such file/,
  );
  assert.match(
    String((await message("report", "--flow", "billing.flow.yaml", "--since", "soon"))[1]),
    /--since must be a date/,
  );
});
