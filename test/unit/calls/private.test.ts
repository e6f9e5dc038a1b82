/** Data about callers appears in no aggregate and in no file; which workflow's calls belong to a flow. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { inProject } from "../../../scripts/project";
import { TestRunner } from "../../../server/testing/run";
import { cli, environmentOf, folderWith } from "../cli/cli";
import { removeBundle, startAgent } from "../mcp/agent";

const flow = readFileSync(inProject("examples/support-line.flow.yaml"), "utf8");
const unlinked = flow.replace(/^(assistant|revision): .*\n/gm, "");

/** Strings that belong to callers, in every field that a call can have them. */
const PLANTED = ["Zebulon", "Quark", "555-0199", "my cat is purple", "zq@example.com", "90210-77", "Elm Street 5"];
const call = (id: string, more: object = {}) => ({
  id,
  firstName: "Zebulon",
  lastName: "Quark",
  phone: "555-0199",
  email: "zq@example.com",
  summary: "my cat is purple",
  customerMetadata: { address: "Elm Street 5" },
  transcript: [
    {
      id: 0,
      created_at: "",
      user: "assistant",
      text: "Welcome to Northwind Telecom, I'm Riley. How can I help today?",
    },
    { id: 1, created_at: "", user: "Zebulon", text: "my cat is purple" },
    { id: 2, created_at: "", user: "assistant", text: "How would you like to be called?" },
    { id: 3, created_at: "", user: "Zebulon", text: "Zebulon Quark of Elm Street 5, 555-0199" },
    { id: 4, created_at: "", user: "assistant", text: "Zebulon, what is the customer number on the bill?" },
    { id: 5, created_at: "", user: "Zebulon", text: "90210-77" },
  ],
  variables: { caller_name: "Zebulon Quark", account_id: "90210-77", "555-0199": "zq@example.com" },
  callEndedReason: "ENDED",
  callEndedBy: "USER",
  ...more,
});
const calls = [
  call("c1"),
  call("c2", { callEndedReason: "WARM_TRANSFER", callEndedBy: "ASSISTANT" }),
  call("c3", { callEndedReason: "Zebulon Quark hung up", callEndedBy: "zq@example.com" }),
  call("c4", { callEndedReason: null, status: "my cat is purple" }),
  { ...call("c5"), transcript: "my cat is purple", variables: ["90210-77"] },
];

let folder: ReturnType<typeof folderWith>;
let state: ReturnType<typeof folderWith>;
let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ demo: true, calls: { count: 8, seed: "private" } });
  state = folderWith({});
  folder = folderWith({
    "line.flow.yaml": flow,
    "unlinked.flow.yaml": unlinked,
    "new.flow.yaml": flow.replace("- to: ask_name\n", "- to: hand_over\n"),
    "calls.jsonl": `${calls.map((each) => JSON.stringify(each)).join("\n")}\n{"Zebulon Quark": "555-0199\n`,
    "call.json": JSON.stringify(calls[0]),
    ".vscode/settings.json": "{}",
  });
});
after(async () => {
  await sandbox.stop();
  folder.remove();
  state.remove();
});

const run = (...args: string[]) => cli(args, { cwd: folder.path, env: environmentOf(sandbox, state.path) });

function filesIn(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  return new Map(files.map((file) => [path.relative(root, file), readFileSync(file, "utf8")]));
}

test("no aggregate and no trace contains anything of a caller, and no command writes a file", async () => {
  const before = filesIn(folder.path);
  const input = ["--calls", "calls.jsonl"];
  const commands = [
    ...["text", "json", "markdown"].map((format) => [
      "calls",
      "report",
      "--flow",
      "line.flow.yaml",
      ...input,
      "--format",
      format,
    ]),
    ...["text", "json"].map((format) => ["calls", "trace", "--flow", "line.flow.yaml", ...input, "--format", format]),
    ...["text", "json"].map((format) => [
      "calls",
      "trace",
      "--flow",
      "line.flow.yaml",
      "--call",
      "call.json",
      "--format",
      format,
    ]),
    ...["text", "json", "markdown"].map((format) => [
      "diff",
      "line.flow.yaml",
      "new.flow.yaml",
      ...input,
      "--format",
      format,
    ]),
    ["calls", "report", "--flow", "line.flow.yaml", "--since", "2020-01-01"],
  ];
  for (const args of commands) {
    const { out, err } = await run(...args);
    assert.notEqual(out, "", args.join(" "));
    for (const planted of PLANTED) assert.ok(!(out + err).includes(planted), `${args.join(" ")}: ${planted}`);
  }
  assert.deepEqual(filesIn(folder.path), before);
  for (const [name, text] of filesIn(state.path))
    for (const planted of PLANTED) assert.ok(!text.includes(planted), `${name}: ${planted}`);
});

test("`calls_report` of agents contains nothing of a caller, also for input that can't be read", async () => {
  const agent = await startAgent({ cwd: folder.path, env: environmentOf(sandbox, state.path) });
  try {
    const { data, text } = await agent.call("calls_report", { file: "line.flow.yaml", calls: "calls.jsonl" });
    assert.equal(data.calls, 5);
    assert.ok(data.nodes.ask_account.calls > 0);
    const others = [
      await agent.call("calls_report", { file: "line.flow.yaml", calls: "call.json" }),
      await agent.call("calls_report", { file: "line.flow.yaml", calls: "line.flow.yaml" }),
      await agent.call("calls_report", { file: "call.json", calls: "calls.jsonl" }),
      await agent.call("calls_report", { file: "line.flow.yaml", calls: "Zebulon.jsonl" }),
    ];
    const all = JSON.stringify([data, text, others]).replaceAll("Zebulon.jsonl", "");
    for (const planted of PLANTED) assert.ok(!all.includes(planted), planted);
  } finally {
    await agent.close();
    await removeBundle();
  }
});

test("the graph gets IDs and counts, and the call page the path without the transcript", async () => {
  const runner = new TestRunner(async () => undefined);
  const place = { flow: path.join(folder.path, "line.flow.yaml"), cwd: folder.path, unsaved: [] };
  const graph = (await runner.do({ kind: "calls", calls: [...calls, null, "x", 5, []], ...place })) as {
    calls: number;
    nodes: { id: string; calls: number; left: number; leftIds: readonly string[] }[];
  };
  assert.equal(graph.calls, 5);
  const asked = graph.nodes.find(({ id }) => id === "ask_account");
  assert.deepEqual([asked?.left, asked?.leftIds], [asked?.leftIds.length, asked?.leftIds]);
  assert.ok(asked?.leftIds.includes("c1"));
  const page = await runner.do({ kind: "call", call: calls[0], ...place });
  for (const planted of PLANTED) assert.ok(!JSON.stringify([graph, page]).includes(planted), planted);
});

test("bad calls and flows have a result for the graph and the call page", async () => {
  const runner = new TestRunner(async () => undefined);
  const file = path.join(folder.path, "line.flow.yaml");
  const place = { flow: file, cwd: folder.path };
  const turn = (text: unknown, user: unknown = "assistant") => ({ text, user });
  const odd: [string, unknown][] = [
    ["an empty transcript", call("x", { transcript: [] })],
    ["no fields", { id: "x" }],
    ["null fields", { id: null, transcript: null, variables: null, callEndedReason: null, callEndedBy: null }],
    ["null turns", call("x", { transcript: [null, turn(null), turn("Hello.", null), {}] })],
    [
      "5,000 turns",
      call("x", {
        transcript: Array.from({ length: 5_000 }, (_, at) => turn(`How can I help? ${at}`, at % 2 ? "user" : "ai")),
      }),
    ],
    ["a turn of 1 MB", call("x", { transcript: [turn("word ".repeat(200_000)), turn("Goodbye")] })],
    ["a running call", call("x", { callEndedReason: null, callEndedBy: null })],
  ];
  for (const [name, data] of odd) {
    const view = (await runner.do({ kind: "call", call: data, ...place, unsaved: [] })) as { verdict: string };
    assert.match(view.verdict, /^(placed|partly|unplaced)$/, name);
    const graph = (await runner.do({ kind: "calls", calls: [data], ...place, unsaved: [] })) as { calls: number };
    assert.equal(graph.calls, 1, name);
  }
  assert.equal(await runner.do({ kind: "call", call: "x", ...place, unsaved: [] }), null, "not a call");
  for (const broken of ["", "nodes: [", "entry: nowhere\nnodes: {}\n", flow.replace("entry: greet", "")])
    for (const work of [{ kind: "call", call: calls[0] } as const, { kind: "calls", calls } as const])
      assert.equal(await runner.do({ ...work, ...place, unsaved: [[file, broken]] }), null, broken.slice(0, 20));
});

test("`--since` takes the calls of workflows that run the flow, or that the settings map to it", async () => {
  const count = async (name: string) => {
    const { out, err } = await run("calls", "report", "--flow", name, "--since", "2020-01-01", "--format", "json");
    assert.equal(err, "");
    return JSON.parse(out).calls;
  };
  const linked = await count("line.flow.yaml");
  assert.ok(linked >= 8, String(linked));
  assert.equal(await count("unlinked.flow.yaml"), 0);
  const { workflowBaseUrl, apiKey } = sandbox;
  const answer = await fetch(`${workflowBaseUrl}/calls`, { headers: { "x-api-key": apiKey } });
  const all = ((await answer.json()) as { calls: { workflowId?: string }[] }).calls;
  const workflow = all.find(({ workflowId }) => workflowId)?.workflowId as string;
  const mapped = folderWith({
    "flows/unlinked.flow.yaml": unlinked,
    "flows/line.flow.yaml": flow,
    ".vscode/settings.json": `{ // by hand\n  "assistantFlow.calls.flows": {"${workflow}": "flows/unlinked.flow.yaml", "x": 5},\n}`,
  });
  try {
    const counted = ["unlinked", "line"].map(async (name) => {
      const args = [
        "calls",
        "report",
        "--flow",
        `flows/${name}.flow.yaml`,
        "--since",
        "2020-01-01",
        "--format",
        "json",
      ];
      return JSON.parse((await cli(args, { cwd: mapped.path, env: environmentOf(sandbox, state.path) })).out).calls;
    });
    assert.deepEqual(await Promise.all(counted), [linked, 0], "the setting wins");
  } finally {
    mapped.remove();
  }
});

test("a flow without IDs has the calls of the assistants and revisions that the project file lists it with", async () => {
  const assistant = /^assistant: (.*)$/m.exec(flow)?.[1];
  const other = "11111111-0000-4000-8000-000000000001";
  const link = (name: string, one: unknown, two: unknown) =>
    `  ${name}:\n    url: ${sandbox.baseUrl}\n    calling_url: ${sandbox.workflowBaseUrl}\n    flows: {a.flow.yaml: {assistant: ${one}, revision: ${two}}}\n`;
  const project = (...parts: string[]) => `default: staging\nenvironments:\n${parts.join("")}`;
  const listed = folderWith({ "a.flow.yaml": unlinked, "b.flow.yaml": unlinked });
  const count = async (name: string, text: string) => {
    writeFileSync(path.join(listed.path, "assistant-flow.project.yaml"), text);
    const args = ["calls", "report", "--flow", name, "--since", "2020-01-01", "--env", "staging", "--format", "json"];
    const { out, err } = await cli(args, { cwd: listed.path, env: environmentOf(sandbox, state.path) });
    assert.equal(err, "");
    return JSON.parse(out).calls;
  };
  try {
    const own = project(link("staging", assistant, other));
    assert.ok((await count("a.flow.yaml", own)) >= 8);
    assert.equal(await count("b.flow.yaml", own), 0, "the project lists only the other one");
    assert.equal(await count("a.flow.yaml", project(link("staging", other, other))), 0);
  } finally {
    listed.remove();
  }
});
