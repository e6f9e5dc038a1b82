/**
 * Flows with syntax errors: no result depends on the part that couldn't be parsed. Each kind of broken file is tried
 * with every command and tool that runs a flow, proves something about it or writes tests for it.
 */
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { Play } from "../../../debug";
import { FlowDocument } from "../../../flow";
import { FlowPolicies, readPolicyFile } from "../../../flow/policy";
import { type Agent, removeBundle, startAgent } from "../mcp/agent";
import { cli, folderWith } from "./cli";

const FLOW = `entry: a
context_variables:
  plan: {type: string}
nodes:
  a:
    type: message
    instructions: Hello.
    edges:
      - {to: b}
  b:
    type: transfer
    destination: "+15550100"
  c:
    type: end
`;
const POLICIES = `policies:
  - {id: soon, at_most: 3, from: entry, to: {type: transfer}}
  - {id: not-c, never: {from: entry, to: {node: c}}}
`;
const TESTS =
  "flow: x.flow.yaml\ntests:\n  - name: to b\n    expect: {ends: b}\n  - name: also to b\n    expect: {ends: b}\n";

/** What is broken in each, and the reported line. */
const BROKEN: readonly (readonly [what: string, text: string, line: number])[] = [
  ["a bracket in the target", FLOW.replace("type: transfer", "type: [transfer"), 11],
  ["a quote in the entry", FLOW.replace("entry: a", 'entry: "a'), 1],
  ["a quote in the words", FLOW.replace("Hello.", '"Hello.'), 7],
  ["a tab", FLOW.replace("    edges:", "\tedges:"), 8],
  ["an edge", FLOW.replace("{to: b}", "{to: b"), 9],
  ["a variable", FLOW.replace("{type: string}", "{type: string"), 3],
  ["conflict markers", FLOW.replace("  c:", "<<<<<<< ours\n  c:\n=======\n  d:\n>>>>>>> theirs"), 13],
  ["deeper than is read", `${FLOW}  d: ${"[".repeat(400)}${"]".repeat(400)}\n`, 15],
  ["longer than is read", `${FLOW}#${"x".repeat(5_300_000)}\n`, 1],
];

/** Each broken file is in a folder of its own. One agent has all of them. */
let all: ReturnType<typeof folderWith>;
let agent: Agent;
before(async () => {
  const files = BROKEN.flatMap(([_, text], index) => [
    [`${index}/x.flow.yaml`, text],
    [`${index}/x.flowtest.yaml`, TESTS],
    [`${index}/assistant-flow.policies.yaml`, POLICIES],
  ]);
  all = folderWith(Object.fromEntries(files));
  agent = await startAgent({ cwd: all.path });
});
after(async () => {
  await agent?.close();
  await removeBundle();
  all?.remove();
});

for (const [index, [what, , line]] of BROKEN.entries())
  test(`${what}: no verdict, no path, no test that passes or fails by it`, async () => {
    const cwd = path.join(all.path, String(index));
    const said = new RegExp(`has a syntax error\\. Line ${line}: `);
    const tests = await cli(["test", "--format", "json"], { cwd });
    const report = JSON.parse(tests.out).tests;
    assert.deepEqual(
      report.map((each: { name: string; path: string[]; failures: { kind: string }[] }) => [
        each.name,
        each.path,
        each.failures.map(({ kind }) => kind),
      ]),
      [["", [], ["bad-test"]]],
    );
    assert.match(report[0].failures[0].message, said);
    assert.equal(tests.code, 1);

    const generated = await cli(["test", "--generate", "x.flow.yaml"], { cwd });
    assert.equal(generated.out, "");
    assert.match(generated.err, said);

    const policies = await cli(["policies", "--format", "json"], { cwd });
    const { verdicts, problems } = JSON.parse(policies.out);
    assert.deepEqual(verdicts, []);
    assert.deepEqual(
      problems.map((each: { file: string; line: number }) => [each.file, each.line]),
      [["x.flow.yaml", line]],
    );
    assert.equal(policies.code, 1);

    const checked = await cli(["check", "x.flow.yaml", "--format", "json"], { cwd });
    assert.doesNotMatch(checked.out, /policy-broken/);
    const ofTests = await cli(["check", "x.flowtest.yaml", "--format", "json"], { cwd });
    assert.match(ofTests.out, said);
    assert.equal(ofTests.out.match(/bad-test/g)?.length, 1, "one problem, not one of each test");

    const file = `${index}/x.flow.yaml`;
    const outline = await agent.call("outline", { file });
    assert.match(String((outline.data as { notes?: string[] }).notes), said);
    assert.match((await agent.call("paths", { file, to: "b" })).text, said);
    const run = (await agent.call("run", { file })).data as Record<string, unknown>;
    assert.deepEqual([run.status, run.path, run.ended], ["failed", [], undefined]);
    assert.match(JSON.stringify(run.failures), said);
  });

test("a component with syntax errors isn't run", async () => {
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0301";
  const outer = `entry: a\nnodes:\n  a: {type: component, component: ${id}, edges: [{to: b}]}\n  b: {type: end}\n`;
  const inner = `assistant: ${id}\nentry: x\nnodes:\n  x: {type: message, edges: [{to: y}]}\n  y: {type: [end}\n`;
  const folder = folderWith({ "x.flow.yaml": outer, "inner.flow.yaml": inner, "x.flowtest.yaml": TESTS });
  const { out } = await cli(["test", "--format", "json"], { cwd: folder.path });
  folder.remove();
  for (const { path: taken, ended, failures } of JSON.parse(out).tests) {
    assert.deepEqual([taken, ended, failures[0].kind], [["a"], { kind: "waiting", node: "a" }, "stub-missing"]);
    assert.match(
      failures[0].message,
      /^The flow of the component at "a" has a syntax error\. Line 5: .* Correct that, or add the component's answer under `tools`: `a: \{return: \{…\}\}`\.$/,
    );
  }
});

test("while a flow has syntax errors its verdicts wait, and then are those of the new text", () => {
  const { policies } = readPolicyFile(POLICIES);
  const verdicts = (judged: FlowPolicies) => {
    judged.update(policies);
    return policies.map((policy) => judged.verdict(policy)?.verdict);
  };
  const document = FlowDocument.read(FLOW);
  const judged = new FlowPolicies(document);
  assert.deepEqual(verdicts(judged), ["proved-by-shape", "proved-by-shape"]);
  const at = FLOW.indexOf("{to: b}");
  document.edit([{ start: at, end: at + "{to: b}".length, text: "{to: c" }]);
  assert.deepEqual(verdicts(judged), [undefined, undefined]);
  assert.deepEqual(judged.problems(policies), []);
  const end = at + "{to: c".length;
  document.edit([{ start: end, end, text: "}" }]);
  assert.deepEqual(verdicts(judged), ["broken", "broken"]);
});

test("a played conversation is unchanged while its flow has syntax errors, and shows the reason", async () => {
  const file = path.resolve("x.flow.yaml");
  let text = FLOW;
  const host = {
    cwd: path.dirname(file),
    textOf: async () => text,
    watch: () => ({ dispose: () => {} }),
    toolsFor: async () => undefined,
  };
  const play = await Play.begin(host, file);
  const before = play.view.turns;
  text = FLOW.replace("Hello.", '"Good day.');
  await play.repeat();
  assert.deepEqual(play.view.turns, before);
  assert.match(play.view.note ?? "", /^The run wasn't updated: the flow has a syntax error\. Line 7: /);
  text = FLOW.replace("Hello.", "Good day.");
  await play.repeat();
  assert.equal(play.view.note, undefined);
  assert.notDeepEqual(play.view.turns, before);
});
