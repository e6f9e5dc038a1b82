/** Test runs in the editor: the same results as the command line, unsaved texts, bad input, and concurrent requests. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { CancellationTokenSource } from "vscode-languageserver-protocol/node";
import {
  type NewTests,
  type NewTestsParams,
  NewTestsRequest,
  type NoNewTests,
  type RunTestsParams,
  RunTestsRequest,
  type TestFileView,
  type TestRunView,
} from "../../../server/test-messages";
import { Client } from "../../language/client";
import { cli } from "../cli/cli";

const folder = mkdtempSync(path.join(tmpdir(), "aflow-test-runs-"));
const uriOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};

const FLOW = `entry: ask
nodes:
  ask:
    type: message
    instructions: Ask.
    edges:
      - {to: yes, when: the caller agrees}
      - {to: no, when: the caller refuses}
      - {to: no, label: otherwise}
      - {to: lost}
  yes: {type: end}
  no: {type: end}
  lost: {type: end}
`;
const testFor = (flow: string, take: string, ends: string) => `flow: ${flow}
tests:
  - name: agrees
    steps: [{take: ${take}}]
    expect: {path: [ask, ${ends}], ends: ${ends}}
`;

let client: Client;
before(async () => {
  cpSync("examples", folder, { recursive: true });
  client = await Client.start({ folders: [pathToFileURL(folder).href] });
});
after(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (params: Partial<RunTestsParams> & Pick<RunTestsParams, "files">) =>
  client.request<TestRunView>(RunTestsRequest.method, { unsaved: [], ...params });

/** The results of the command line for the same files, run in the workspace's folder. */
async function same(...names: string[]): Promise<TestRunView> {
  const view = await run({ files: names.map((name) => ({ uri: uriOf(name) })), report: true });
  const { out } = await cli(["test", ...names, "--coverage", "--format", "json"], { cwd: folder });
  assert.equal(view.report, out);
  return view;
}

test("the examples: the same report as the command line's, byte for byte", async () => {
  const view = await same("billing.flowtest.yaml", "support-line.flowtest.yaml");
  assert.deepEqual(
    view.files.map(({ results }) => results.every(({ failures }) => failures.length === 0)),
    [true, true],
  );
});

test("failures, components, broken files and missing flows: the same report as the command line's", async () => {
  write("a/one.flow.yaml", FLOW);
  write("a/one.flowtest.yaml", testFor("one.flow.yaml", "the caller agree", "yes"));
  write("a/two.flowtest.yaml", testFor("one.flow.yaml", "otherwise", "yes"));
  write("a/gone.flowtest.yaml", testFor("gone.flow.yaml", "no", "yes"));
  write("a/broken.flowtest.yaml", "flow: one.flow.yaml\ntests:\n  - {name: [\n");
  write("a/empty.flowtest.yaml", "");
  write(
    "a/round.flow.yaml",
    "assistant: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001\nentry: a\nnodes:\n  a: {type: component, component: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001, edges: [{to: b}]}\n  b: {type: end}\n",
  );
  write("a/round.flowtest.yaml", "flow: round.flow.yaml\ntests:\n  - {name: calls itself}\n");
  write("a/loop.flow.yaml", "entry: a\nnodes:\n  a: {type: message, instructions: A., edges: [{to: a}]}\n");
  write("a/loop.flowtest.yaml", "flow: loop.flow.yaml\ntests:\n  - {name: never ends}\n");
  const names = ["broken", "empty", "gone", "loop", "one", "round", "two"].map((name) => `a/${name}.flowtest.yaml`);
  const { files } = await same(...names);
  const told = files.map(({ problem, results }) => problem?.message ?? results[0]?.failures[0]?.kind);
  assert.deepEqual(told.slice(2), [
    `There's no flow file "a/gone.flow.yaml". \`flow\` is relative to the test file.`,
    "endless",
    "edge-unknown",
    "endless",
    "wrong-end",
  ]);
  for (const message of told) assert.ok(message && !/\bat .*:\d+:\d+/.test(message), message);
  // A path has only its last nodes, not all 10,000 of them.
  assert.equal(files[3]?.results[0]?.failures[0]?.stack.length, 100);
});

test("a failure has its place in the test, what was compared, and the path as its stack", async () => {
  const { files } = await run({ files: [{ uri: uriOf("a/two.flowtest.yaml") }] });
  const failure = files[0]?.results[0]?.failures.find(({ kind }) => kind === "wrong-path");
  assert.deepEqual([failure?.expected, failure?.actual], ["ask\nyes", "ask\nno"]);
  assert.equal(failure?.range.start.line, 4);
  assert.deepEqual(
    failure?.stack.map(({ label, uri, range }) => [label, uri, range.start.line]),
    [
      ["no", uriOf("a/one.flow.yaml"), 11],
      ["ask", uriOf("a/one.flow.yaml"), 2],
    ],
  );
});

test("unsaved tests and flows replace the files", async () => {
  const file = { uri: uriOf("a/two.flowtest.yaml") };
  const fixed = { ...file, text: testFor("one.flow.yaml", "the caller refuses", "no") };
  assert.deepEqual((await run({ files: [file], unsaved: [fixed] })).files[0]?.results[0]?.failures, []);
  const flow = {
    uri: uriOf("a/one.flow.yaml"),
    text: FLOW.replace("yes, when: the caller agrees", "no, when: agrees"),
  };
  const edited = await run({ files: [{ uri: uriOf("a/one.flowtest.yaml") }], unsaved: [flow] });
  assert.match(edited.files[0]?.results[0]?.failures[0]?.message ?? "", /"the caller refuses"/);
  const listed = await client.request<TestFileView[]>("assistantFlow/listTests", {
    files: [file.uri],
    unsaved: [fixed],
  });
  assert.deepEqual(
    listed[0]?.tests.map(({ name, range }) => [name, range.start.line]),
    [["agrees", 2]],
  );
});

test("coverage: the tests of each node and edge; unreachable ones are separate", async () => {
  const { coverage } = await run({
    files: [{ uri: uriOf("a/two.flowtest.yaml") }, { uri: uriOf("a/one.flowtest.yaml") }],
  });
  const [flow] = coverage;
  assert.equal(flow?.uri, uriOf("a/one.flow.yaml"));
  assert.deepEqual(
    flow.nodes.map(({ id, state, tests }) => [id, state, tests]),
    [
      ["ask", "covered", [0, 1]],
      ["yes", "missing", []],
      ["no", "covered", [1]],
      ["lost", "unreachable", []],
    ],
  );
  assert.deepEqual(
    flow.nodes[0]?.edges.map(({ label, state, range }) => [label, state, range.start.line]),
    [
      ["the caller agrees", "missing", 6],
      ["the caller refuses", "missing", 7],
      ["otherwise", "covered", 8],
      ["lost", "unreachable", 9],
    ],
  );
});

test("coverage: a flow with syntax errors has none, rather than zero", async () => {
  write("a/broken.flow.yaml", FLOW);
  write("a/broken.flowtest.yaml", testFor("broken.flow.yaml", "yes", "yes"));
  const files = [{ uri: uriOf("a/broken.flowtest.yaml") }];
  assert.equal((await run({ files })).coverage.length, 1);
  const unsaved = [
    { uri: uriOf("a/broken.flow.yaml"), text: FLOW.replace("instructions: Ask.", 'instructions: "Ask.') },
  ];
  assert.deepEqual((await run({ files, unsaved })).coverage, []);
});

test("coverage: a test file with a problem adds none, and a repeated key doesn't hide any", async () => {
  write("a/odd.flow.yaml", FLOW);
  const broken = 'flow: odd.flow.yaml\ntests:\n  - {name: "agrees\n';
  write("a/odd.flowtest.yaml", broken);
  const files = [{ uri: uriOf("a/odd.flowtest.yaml") }];
  const view = await run({ files });
  assert.deepEqual(view.coverage, []);
  assert.ok(view.files[0]?.problem, "the reason");
  const unsaved = [
    { uri: uriOf("a/odd.flowtest.yaml"), text: testFor("odd.flow.yaml", "the caller refuses", "no") },
    {
      uri: uriOf("a/odd.flow.yaml"),
      text: FLOW.replace("instructions: Ask.", "instructions: Ask.\n    name: A\n    name: B"),
    },
  ];
  const repeated = await run({ files, unsaved });
  assert.deepEqual(repeated.files[0]?.results[0]?.failures, []);
  assert.equal(repeated.coverage.length, 1);
});

test("one test of a file runs alone", async () => {
  const { files } = await run({
    files: [{ uri: uriOf("billing.flowtest.yaml"), tests: ["a failing look-up hands over"] }],
  });
  assert.deepEqual(
    files[0]?.results.map(({ id }) => id),
    ["a failing look-up hands over"],
  );
  assert.equal(files[0]?.tests.length, 4);
});

test("each case is a test with its own position; a skipped one is neither passed nor failed", async () => {
  write("c/one.flow.yaml", FLOW);
  write(
    "c/one.flowtest.yaml",
    `flow: one.flow.yaml
tests:
  - name: ends
    cases:
      - name: early
        steps: [{take: yes}]
      - name: late
        skip: Not decided.
        steps: [{take: no}]
  - name: never
    skip: Neither.
`,
  );
  const view = await same("c/one.flowtest.yaml");
  const [file] = view.files;
  assert.deepEqual(
    file?.tests.map(({ id, range: { start, end } }) => [id, start.line, end.line]),
    [
      ["ends (early)", 4, 5],
      ["ends (late)", 6, 8],
      ["never", 9, 10],
    ],
  );
  assert.deepEqual(file?.results, [
    { id: "ends (early)", failures: [] },
    { id: "ends (late)", failures: [], skipped: "Not decided." },
    { id: "never", failures: [], skipped: "Neither." },
  ]);
});

test("new tests go beside the flow or after existing ones; nothing is written", async () => {
  write("b/one.flow.yaml", FLOW);
  const flow = uriOf("b/one.flow.yaml");
  const ask = (what: NewTestsParams["what"]) =>
    client.request<NewTests & Partial<NoNewTests>>(NewTestsRequest.method, { flow, what, unsaved: [] });
  const first = await ask({ kind: "through", node: "yes" });
  assert.deepEqual([first.uri, first.isNew, first.count], [uriOf("b/one.flowtest.yaml"), true, 1]);
  assert.ok(!existsSync(path.join(folder, "b/one.flowtest.yaml")));
  write("b/one.flowtest.yaml", first.text);
  const all = await ask({ kind: "all" });
  assert.deepEqual([all.isNew, all.position.line], [false, 7]);
  // An existing test isn't written again under another name, even if it is skipped.
  const there = first.text.replace(/name: .*/, "name: mine\n    skip: Not now.");
  write("b/one.flowtest.yaml", there);
  const again = await ask({ kind: "through", node: "yes" });
  assert.equal(again.problem, 'Test "mine" already runs this conversation.');
  assert.deepEqual(again.same, {
    uri: uriOf("b/one.flowtest.yaml"),
    name: { start: { line: 2, character: 10 }, end: { line: 2, character: 14 } },
  });
  assert.equal((await ask({ kind: "all" })).count, all.count);
  // A test whose last step no longer applies was written for another path.
  write("b/one.flowtest.yaml", there.replace("    expect:", "      - take: gone\n    expect:"));
  assert.equal((await ask({ kind: "through", node: "yes" })).count, 1);
  const text = `${first.text.trimEnd()}${all.text}\n`;
  write("b/one.flowtest.yaml", text);
  assert.match((await ask({ kind: "all" })).problem ?? "", /already has a test for every edge/);
  write("b/one.flowtest.yaml", "not: [a test");
  assert.equal((await ask({ kind: "all" })).uri, uriOf("b/one-2.flowtest.yaml"));
  const lost = await ask({ kind: "through", node: "lost" });
  assert.match(lost.problem ?? "", /reaches "lost"/);
  const lines = FLOW.split("\n");
  const positionOf = (words: string) => ({ line: lines.findIndex((each) => each.includes(words)), character: 2 });
  assert.deepEqual(lost.at, { uri: flow, position: positionOf("  lost:") });
  write("b/one.flow.yaml", FLOW.replace("  lost: {type: end}", "  lost: {type: end"));
  const { problem, at } = await ask({ kind: "all" });
  assert.match(problem ?? "", /^"one\.flow\.yaml" has a syntax error\. Line 13: /);
  assert.equal(at?.position.line, 12);
});

test("new tests name the problems of the flow that their runs show", async () => {
  const reading = FLOW.replace("Ask.", "Ask {{caller}} about {{acount}}.").replace(
    "nodes:",
    "context_variables: {caller: {type: string}}\nnodes:",
  );
  write("faults/one.flow.yaml", reading);
  const ask = (what: NewTestsParams["what"]) =>
    client.request<NewTests>(NewTestsRequest.method, { flow: uriOf("faults/one.flow.yaml"), what, unsaved: [] });
  const first = await ask({ kind: "through", node: "yes" });
  assert.deepEqual(first.faults, [
    'ask reads "caller", which isn\'t set there; expected as `unset` by "ask, the caller agrees, ends at yes".',
    'ask reads "acount", which isn\'t declared; this fails "ask, the caller agrees, ends at yes".',
  ]);
  // Only tests that are added count, under the names they get.
  write("faults/one.flowtest.yaml", first.text.replace(/name: .*/, "name: mine"));
  const { faults, text } = await ask({ kind: "all" });
  const [, name = ""] = /- name: (.*)/.exec(text) ?? [];
  assert.match(faults?.[0] ?? "", new RegExp(`by "${name}" and 1 more\\.$`));
  write("faults/one.flow.yaml", FLOW);
  assert.equal((await ask({ kind: "through", node: "no" })).faults, undefined);
});

test("a test from a call has the caller's words without personal data", async () => {
  const call = {
    variables: { account_id: "4711", plan: "plus" },
    ended: "end" as const,
    turns: [
      { text: "Welcome the caller and ask how you can help.", user: "assistant" },
      { text: "Jane here, what am I paying for?", user: "customer" },
      { text: "It's 4711.", user: "customer" },
    ],
    names: ["Jane"],
    says: true,
  };
  const flow = uriOf("billing.flow.yaml");
  const params: NewTestsParams = { flow, what: { kind: "call", call }, unsaved: [] };
  const made = await client.request<NewTests>(NewTestsRequest.method, params);
  assert.match(made.text, /says: "… here, what …\?"\n {6}- give: \{account_id: "\d{4}"\}\n {8}says: It's …\./);
  assert.deepEqual([made.isNew, made.isDraft], [false, undefined]);
  // Added to the file, it passes.
  const text = `${readFileSync("examples/billing.flowtest.yaml", "utf8").trimEnd()}${made.text}\n`;
  const uri = uriOf("billing.flowtest.yaml");
  const { files } = await run({ files: [{ uri }], unsaved: [{ uri, text }] });
  assert.deepEqual(files[0]?.results[4]?.failures, []);
  // A row has room for the reason only, and a message for the whole.
  const transferred = { ...call, ended: "transfer" as const };
  const none = { ...params, what: { kind: "call", call: transferred } };
  const { problem, reason } = await client.request<NoNewTests>(NewTestsRequest.method, none);
  assert.equal(reason, "The call was transferred, but no run with its values is.");
  assert.equal(problem, `No run of this flow matches the call. ${reason}`);
});

test("a large test file is run while other requests are answered, and a run can be cancelled", async () => {
  // 5 MB of tests, each of which runs 10,000 steps: minutes of work.
  const one = `  - name: never ends, and says at length that it does not, over and over again, until the end of time\n`;
  write("a/large.flowtest.yaml", `flow: loop.flow.yaml\ntests:\n${one.repeat(Math.ceil(5e6 / one.length))}`);
  const cancel = new CancellationTokenSource();
  const running = client.connection
    .sendRequest(
      RunTestsRequest.method,
      { files: [{ uri: uriOf("a/large.flowtest.yaml") }], unsaved: [] },
      cancel.token,
    )
    .then(
      () => "done",
      (error: Error) => error.message,
    );
  const uri = uriOf("typed.flow.yaml");
  await client.open(uri, readFileSync("examples/billing.flow.yaml", "utf8"));
  await client.request("textDocument/documentSymbol", { textDocument: { uri } });
  assert.equal(await Promise.race([running, Promise.resolve("still running")]), "still running");
  cancel.cancel();
  assert.equal(await running, "The run was cancelled.");
  await same("billing.flowtest.yaml");
});
