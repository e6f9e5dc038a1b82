/** The tools of `assistant-flow mcp`: inputs and results, which equal those of the command line. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { flowOf } from "../../../bench/flows";
import { startSandbox } from "../../../sandbox";
import { cli, environmentOf, folderWith } from "../cli/cli";
import { type Agent, between, removeBundle, startAgent } from "./agent";

const examples = path.resolve("examples");
let agent: Agent;
before(async () => {
  agent = await startAgent({ cwd: examples });
});
after(async () => {
  await agent.close();
  await removeBundle();
});

const json = async (args: readonly string[], cwd = examples) =>
  JSON.parse((await cli([...args, "--format", "json"], { cwd })).out);

test("the tools are the ten that change nothing; push is there only when it is allowed", async () => {
  const { tools } = await agent.client.listTools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names, [
    "check",
    "outline",
    "paths",
    "run",
    "test",
    "policies",
    "calls_report",
    "tools",
    "format",
    "plan",
  ]);
  for (const { name, annotations, inputSchema, outputSchema, description } of tools) {
    assert.equal(annotations?.readOnlyHint, true, name);
    assert.equal(annotations?.openWorldHint, name === "plan", name);
    assert.equal(inputSchema.type, "object");
    assert.equal(outputSchema?.type, "object");
    assert.ok((description ?? "").length > 40, name);
  }
  const pushing = await startAgent({ cwd: examples, args: ["--allow-push"] });
  const { tools: more } = await pushing.client.listTools();
  await pushing.close();
  assert.deepEqual(
    more.map(({ name }) => name),
    [...names, "push"],
  );
  assert.equal(more.at(-1)?.annotations?.destructiveHint, true);
  await assert.rejects(agent.client.callTool({ name: "push", arguments: {} }), /Unknown tool/);
});

/** The command line's positions are 0-based. */
const fromOne = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each?.line === "number" && typeof each.character === "number"
      ? { line: each.line + 1, character: each.character + 1 }
      : each,
  );

test("check, test, policies, tools and their errors equal the command line's JSON, with places that count from 1", async () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ["check", { limit: 50 }, ["check", "--fixes"]],
    ["check", { paths: ["support-line.flow.yaml"] }, ["check", "support-line.flow.yaml", "--fixes"]],
    ["check", { paths: ["*.flow.yaml"] }, ["check", "*.flow.yaml", "--fixes"]],
    ["tools", {}, ["tools"]],
    ["tools", { paths: ["billing.flow.yaml"] }, ["tools", "billing.flow.yaml"]],
    ["test", {}, ["test", "--coverage"]],
    ["test", { coverage: false }, ["test"]],
    ["test", { paths: ["billing.flow.yaml"] }, ["test", "billing.flow.yaml", "--coverage"]],
    ["test", { filter: "hands over" }, ["test", "--filter", "hands over", "--coverage"]],
  ];
  for (const [name, input, args] of cases) {
    const answer = await agent.call(name, input);
    assert.deepEqual(answer.data, fromOne(await json(args)), `${name} ${JSON.stringify(input)}`);
    assert.deepEqual(between(answer.text), answer.data);
  }
  const wrong = await agent.call("check", { paths: ["nothing.flow.yaml"] });
  const { err } = await cli(["check", "nothing.flow.yaml"], { cwd: examples });
  assert.ok(wrong.isError);
  assert.deepEqual(between(wrong.text), { error: err.trim() });
});

test("tools come from the last sync and the snapshot; a bad snapshot adds a note, and so does a missing one", async () => {
  const sandbox = await startSandbox({ demo: true });
  const flow = readFileSync(path.join(examples, "billing.flow.yaml"), "utf8");
  const saved = (id: string) => JSON.stringify({ version: 1, tools: [{ id, name: id }] });
  const folder = folderWith({ ".git/HEAD": "", "a.flow.yaml": flow, "assistant-flow.tools.json": saved("extra") });
  const snapshot = path.join(folder.path, "assistant-flow.tools.json");
  const env = environmentOf(sandbox, path.join(folder.path, ".state"));
  const there = await startAgent({ cwd: folder.path, env });
  const names = async () => (await there.call("tools", {})).data.tools.map(({ name }: { name: string }) => name);
  try {
    assert.deepEqual(await names(), ["extra"]);
    assert.equal((await cli(["push", "--allow-first-push", "a.flow.yaml"], { cwd: folder.path, env })).code, 0);
    const both = await names();
    assert.ok(both.includes("extra") && both.includes("look_up_account"), both.join(" "));
    const page = await there.call("tools", { limit: 1 });
    assert.equal(page.data.tools.length, 1);
    assert.ok(page.data.next_cursor);

    writeFileSync(snapshot, "{");
    const { data } = await there.call("tools", {});
    assert.deepEqual(data.notes, [
      "assistant-flow.tools.json: The tool definitions aren't valid JSON. Save them again.",
    ]);
    assert.equal(data.tools.length, both.length - 1);
    rmSync(path.join(folder.path, ".state"), { recursive: true });
    rmSync(snapshot);
    const nothing = await there.call("tools", {});
    assert.equal(nothing.isError, false);
    assert.deepEqual(nothing.data.tools, []);
    assert.match(nothing.data.notes[0], /No tools are known/);
  } finally {
    await there.close();
    await sandbox.stop();
    folder.remove();
  }
});

test("places are 1-based: the first character of a file is 1:1, in findings, fixes, outlines, tests and policies", async () => {
  const folder = folderWith({
    "a.flow.yaml": "entry: nowhere\nnodes:\n  a: {type: end}\n",
    "a.flowtest.yaml": "flow: a.flow.yaml\ntests: 5\n",
    "assistant-flow.policies.yaml": "policiez: []\n",
  });
  const there = await startAgent({ cwd: folder.path });
  const { data } = await there.call("check", { paths: ["a.flow.yaml"] });
  const found = data.files[0].findings.find(({ code }: { code: string }) => code === "unknown-entry");
  assert.deepEqual(found.range, { start: { line: 1, character: 8 }, end: { line: 1, character: 15 } });
  assert.deepEqual(found.fix.changes[0].range.start.line, 1);
  const outline = await there.call("outline", { file: "a.flow.yaml" });
  assert.equal(outline.data.nodes[0].line, 3);
  const { problems } = (await there.call("policies")).data;
  assert.deepEqual([problems[0].line, problems[0].column], [1, 1]);
  await there.close();
  folder.remove();
});

test("policies: proved, broken with its path, a typo in a target, and unreadable files are distinguished", async () => {
  const policy = (id: string, to: string, passes: string) =>
    `  - {id: ${id}, every_path_to: {node: ${to}}, passes: {node: ${passes}}, because: of ${id}}\n`;
  const folder = folderWith({
    "a.flow.yaml":
      "entry: a\nnodes:\n  a: {type: message, edges: [{to: b, when: the caller asks}, {to: c}]}\n  b: {type: message, edges: [{to: c}]}\n  c: {type: end}\n",
    "assistant-flow.policies.yaml": `policies:\n${policy("holds", "c", "a")}${policy("breaks", "c", "b")}${policy("typo", "cc", "a")}${policy("removed", "c", "bb")}`,
  });
  const there = await startAgent({ cwd: folder.path });
  const { data, text } = await there.call("policies");
  assert.deepEqual(
    data.verdicts.map(({ policy: id, verdict, path: steps }: Record<string, unknown>) => [id, verdict, steps]),
    [
      ["holds", "proved-by-shape", []],
      ["breaks", "broken", ["a", "c"]],
      ["typo", "matches-nothing", []],
      ["removed", "matches-nothing", []],
      ["removed", "broken", ["a", "c"]],
    ],
  );
  assert.deepEqual(data.summary, { holds: false, proved: 1, broken: 2, matches_nothing: 2, problems: 0 });
  assert.deepEqual(between(text), data);
  const said = JSON.parse((await cli(["policies", "--format", "json"], { cwd: folder.path })).out);
  assert.deepEqual({ verdicts: data.verdicts, problems: data.problems }, said, "as the command line says");
  const listed = (await there.call("policies", { list: true })).data;
  const bound = JSON.parse((await cli(["policies", "--list", "--format", "json"], { cwd: folder.path })).out);
  assert.deepEqual(listed, bound);
  assert.deepEqual(
    listed.flows[0].policies.map(({ policy: id }: Record<string, unknown>) => id),
    ["holds", "breaks", "typo", "removed"],
  );
  const page = await there.call("policies", { limit: 1 });
  assert.equal(page.data.verdicts.length, 1);
  assert.ok(page.data.next_cursor);
  assert.ok((await there.call("policies", { paths: ["nothing.flow.yaml"] })).isError);
  await there.close();
  folder.remove();
  const none = folderWith({ "a.flow.yaml": "entry: a\nnodes:\n  a: {type: end}\n" });
  const alone = await startAgent({ cwd: none.path });
  const nothing = (await alone.call("policies")).data;
  assert.equal(nothing.summary.holds, false);
  assert.match(nothing.notes[0], /No assistant-flow\.policies\.yaml found/);
  await alone.close();
  none.remove();
});

test("test: only those with a tag, as on the command line", async () => {
  const tests = ["fast", "slow"].map((tag) => `  - {name: ${tag}, tags: [${tag}], expect: {ends: a}}\n`);
  const folder = folderWith({
    "a.flow.yaml": "entry: a\nnodes:\n  a: {type: end}\n",
    "a.flowtest.yaml": `flow: a.flow.yaml\ntests:\n${tests.join("")}`,
  });
  const there = await startAgent({ cwd: folder.path });
  const { data } = await there.call("test", { tag: ["slow"], coverage: false });
  assert.deepEqual(
    data,
    JSON.parse((await cli(["test", "--tag", "slow", "--format", "json"], { cwd: folder.path })).out),
  );
  assert.deepEqual(
    data.tests.map(({ name }: Record<string, unknown>) => name),
    ["slow"],
  );
  assert.ok((await there.call("test", { tag: ["none"] })).isError);
  await there.close();
  folder.remove();
});

test("test: skipped, failed and unreadable tests satisfy the schema that clients check", async () => {
  const tests = ["{name: a, skip: later}", "{name: b, cases: [{skip: later}, {}]}", "{name: c, expect: {ends: b}}"];
  const folder = folderWith({
    "a.flow.yaml": "entry: a\nnodes:\n  a: {type: end}\n",
    "a.flowtest.yaml": `flow: a.flow.yaml\ntests:\n${tests.map((each) => `  - ${each}\n`).join("")}`,
    "b.flowtest.yaml": "flow: [\n",
  });
  const there = await startAgent({ cwd: folder.path });
  const { data } = await there.call("test");
  assert.deepEqual(
    data.tests.map(({ status }: Record<string, unknown>) => status),
    ["skipped", "skipped", "passed", "failed", "failed"],
  );
  await there.close();
  folder.remove();
});

test("the inputs in docs/agents.md are those of the tools", async () => {
  const there = await startAgent({ cwd: examples, args: ["--allow-push"] });
  const { tools } = await there.client.listTools();
  const page = readFileSync("docs/agents.md", "utf8");
  for (const { name, inputSchema } of tools) {
    const [, row = ""] = new RegExp(`^\\| \`${name}\` \\| ([^|]+) \\|`, "m").exec(page) ?? [];
    const inputs = Object.keys(inputSchema.properties ?? {}).filter((each) => each !== "limit" && each !== "cursor");
    assert.equal(row, inputs.map((each) => `\`${each}\``).join(", "), name);
  }
  await there.close();
});

test("format: the page of the resource, whole or in parts, without a folder", async () => {
  const { contents } = await agent.client.readResource({ uri: "assistant-flow://format" });
  const whole = await agent.call("format");
  assert.equal(whole.text, (contents[0] as { text: string }).text);
  assert.equal(whole.data.page, whole.text);
  const parts = { flows: /^# The flow format/, tests: /^## Tests\n/, policies: /^## Policies\n/ };
  for (const [of, begins] of Object.entries(parts)) {
    const { text } = await agent.call("format", { of });
    assert.match(text, begins);
    assert.ok(whole.text.includes(text) && text.length < whole.text.length, of);
  }
  const client = await startAgent({ cwd: examples, roots: [] });
  assert.equal((await client.call("format")).isError, false);
  await client.close();
});

test("long calls report progress on request", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      [`f${i}.flow.yaml`, "entry: a\nnodes:\n  a: {type: end}\n"],
      [`f${i}.flowtest.yaml`, `flow: f${i}.flow.yaml\ntests:\n  - {name: t}\n`],
    ]).flat() as [string, string][],
  );
  const policy = (i: number) => `  - {id: p${i}, at_most: 1, from: entry, to: {type: end}}\n`;
  const folder = folderWith({ ...files, "assistant-flow.policies.yaml": `policies:\n${policy(1)}${policy(2)}` });
  const there = await startAgent({ cwd: folder.path });
  for (const [name, total] of [
    ["check", 61],
    ["test", 30],
    ["policies", 2],
  ] as const) {
    const told: { progress: number; total?: number; message?: string }[] = [];
    // From the raw messages: the client drops progress that arrives together with the result.
    const { transport } = there.client;
    const receive = transport?.onmessage;
    if (transport)
      transport.onmessage = (message, extra) => {
        if ("method" in message && message.method === "notifications/progress") told.push(message.params as never);
        receive?.(message, extra);
      };
    await there.client.callTool({ name, arguments: {} }, undefined, { onprogress: () => {} });
    if (transport && receive) transport.onmessage = receive;
    assert.equal(told.at(-1)?.progress, total, name);
    assert.ok(told.every((each, index) => each.total === total && each.progress > (told[index - 1]?.progress ?? 0)));
    assert.match(told[0]?.message ?? "", /^(Checking|Testing|Judging) 1 of /);
  }
  await there.close();
  folder.remove();
});

test("arguments are completed: codes of rules, and flow files", async () => {
  const complete = async (ref: object, name: string, value: string) =>
    (await agent.client.complete({ ref: ref as never, argument: { name, value } })).completion;
  const rule = { type: "ref/resource", uri: "assistant-flow://rules/{code}" };
  assert.deepEqual((await complete(rule, "code", "dead")).values, ["dead-end"]);
  assert.ok((await complete(rule, "code", "")).values.length > 20);
  const fix = { type: "ref/prompt", name: "fix-flow" };
  assert.deepEqual((await complete(fix, "file", "BILL")).values, ["billing.flow.yaml"]);
  assert.deepEqual(await complete(fix, "file", "zzz"), { values: [], total: 0, hasMore: false });
  for (const [ref, name] of [
    [fix, "purpose"],
    [{ type: "ref/prompt", name: "nothing" }, "file"],
    [{ type: "ref/resource", uri: "file:///etc/{code}" }, "code"],
  ] as const)
    assert.deepEqual((await complete(ref, name, "")).values, []);
});

test("without --fixes the JSON of check is what it was", async () => {
  const support = path.resolve("test/support");
  const plain = await json(["check", "flawed.flow.yaml"], support);
  const fixed = await json(["check", "flawed.flow.yaml", "--fixes"], support);
  const fixes: unknown[] = [];
  for (const { findings } of fixed.files)
    for (const finding of findings) {
      if (finding.fix) fixes.push(finding.fix);
      delete finding.fix;
    }
  assert.ok(fixes.length > 0);
  assert.deepEqual(fixed, plain);
});

test("outline lists elements and whether they are reachable", async () => {
  const folder = folderWith({
    "a.flow.yaml": [
      "entry: a",
      "context_variables:",
      "  plan: {type: string, enum_values: [basic, plus]}",
      "nodes:",
      "  a: {type: collect, variable: plan, instructions: Ask., edges: [{to: b, when: '{{plan}} is basic'}, {to: b, when: they ask}, {to: z}, {to: b, when: late}]}",
      "  b: {type: message, instructions: 'Hello {{plan}}', edges: [{to: z}]}",
      "  c: {type: message, instructions: Hi., edges: [{to: z}]}",
      "  z: {type: end}",
    ].join("\n"),
  });
  const there = await startAgent({ cwd: folder.path });
  const { data } = await there.call("outline", { file: "a.flow.yaml" });
  await there.close();
  folder.remove();
  assert.deepEqual(data.variables, [
    { name: "plan", type: "string", enum_values: ["basic", "plus"], line: 3, set_by: ["a"], read_by: ["a", "b"] },
  ]);
  const rows = data.nodes.map(({ id, line, reachable }: Record<string, unknown>) => [id, line, reachable]);
  assert.deepEqual(rows, [
    ["a", 5, true],
    ["b", 6, true],
    ["c", 7, false],
    ["z", 8, true],
  ]);
  assert.deepEqual(
    data.nodes[0].edges.map(({ id, decided, reachable }: Record<string, unknown>) => [id, decided, reachable]),
    [
      ["a--b", "offline", true],
      ["a--b--2", "model", true],
      ["a--z", "default", true],
      ["a--b--3", "model", false],
    ],
  );
});

test("paths: the shortest path, what it sets, and what conditions exclude", async () => {
  const answer = await agent.call("paths", { file: "billing.flow.yaml", to: "tell_plan" });
  assert.deepEqual(answer.data.path, ["greet", "ask_account", "look_up", "tell_plan"]);
  assert.deepEqual(answer.data.sets, [
    { variable: "account_id", node: "ask_account" },
    { variable: "plan", node: "look_up" },
  ]);
  const transfer = await agent.call("paths", { file: "billing.flow.yaml", from: "look_up", to: "transfer" });
  assert.deepEqual(transfer.data.path, ["look_up", "hand_over"]);
  const around = await agent.call("paths", { file: "billing.flow.yaml", from: "look_up" });
  assert.deepEqual(new Set(around.data.reaches), new Set(["tell_plan", "hand_over", "goodbye"]));
  assert.deepEqual(new Set(around.data.reached_by), new Set(["ask_account", "greet"]));
  const wrong = await agent.call("paths", { file: "billing.flow.yaml", to: "tell_plam" });
  assert.match(wrong.text, /doesn't exist. Did you mean \\"tell_plan\\"/);
  const folder = folderWith({
    "a.flow.yaml":
      "entry: a\ncontext_variables: {v: {type: string, enum_values: [x, y]}}\nnodes:\n  a: {type: decision, edges: [{to: b, when: '{{v}} is x'}, {to: z}]}\n  b: {type: decision, edges: [{to: c, when: '{{v}} is y'}, {to: z}]}\n  c: {type: end}\n  z: {type: end}\n",
  });
  const there = await startAgent({ cwd: folder.path });
  const { data } = await there.call("paths", { file: "a.flow.yaml", to: "c" });
  await there.close();
  folder.remove();
  assert.deepEqual([data.reachable, data.only_by_shape, data.path], [false, true, ["a", "b", "c"]]);
});

test("run asks until the script is complete, then reports like a test", async () => {
  const file = "billing.flow.yaml";
  const first = await agent.call("run", { file });
  assert.equal(first.data.asks.kind, "choice");
  const steps: object[] = [{ take: first.data.asks.edges[0].id }];
  const second = await agent.call("run", { file, steps });
  assert.deepEqual(second.data.asks, { kind: "value", node: "ask_account", variable: "account_id" });
  steps.push({ give: { account_id: "4711" } });
  const third = await agent.call("run", { file, steps });
  assert.equal(third.data.asks.kind, "call");
  const whole = await agent.call("run", { file, steps, tools: { look_up: { error: "timeout" } } });
  assert.deepEqual(whole.data.ended, { kind: "transfer", node: "hand_over" });
  const { tests } = await json(["test", "billing.flow.yaml"]);
  const same = tests.find(({ name }: { name: string }) => name === "a failing look-up hands over");
  for (const key of ["path", "edges", "variables", "ended", "status"])
    assert.deepEqual(whole.data[key], same[key], key);
  const expected = await agent.call("run", {
    file,
    steps,
    tools: { look_up: { error: 1 } },
    expect: { ends: "goodbye" },
  });
  assert.deepEqual(
    expected.data.failures.map(({ kind }: { kind: string }) => kind),
    ["wrong-end"],
  );
  const idle = await agent.call("run", {
    file,
    given: { plam: "plus" },
    tools: { look_up: { error: 1 } },
    steps: [{ take: "goodbye" }],
    expect: { never: ["tell"] },
  });
  assert.equal(idle.data.status, "passed");
  assert.deepEqual(
    idle.data.warnings.map(({ kind }: { kind: string }) => kind),
    ["not-used", "undefined-variable", "unknown-node"],
  );
});

test("results are paged without gaps", async () => {
  const folder = folderWith({
    "big.flow.yaml": flowOf(14, "many findings"),
    "other.flow.yaml": flowOf(14, "many findings").replace(/^revision: .*$/m, ""),
    "long.flow.yaml": flowOf(300).replace(/^revision: .*$/m, ""),
    "fine.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n",
  });
  const there = await startAgent({ cwd: folder.path });
  const pages: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await there.call("check", { limit: 9, ...(cursor ? { cursor } : {}) });
    pages.push(data);
    cursor = data.next_cursor;
  } while (cursor);
  assert.ok(pages.length > 3, `${pages.length} pages`);
  const byPath = new Map<string, unknown[]>();
  for (const page of pages)
    for (const { path: at, findings } of page.files as { path: string; findings: unknown[] }[])
      byPath.set(at, [...(byPath.get(at) ?? []), ...findings]);
  const whole = await json(["check", "--fixes"], folder.path);
  assert.deepEqual(
    [...byPath].map(([at, findings]) => ({ path: at, findings })),
    fromOne(whole.files),
  );
  for (const { summary } of pages) assert.deepEqual(summary, whole.summary);
  const nodes = await there.call("outline", { file: "long.flow.yaml" });
  assert.ok(nodes.text.length < 100_000 && nodes.data.next_cursor, "a page is small");
  const old = await there.call("check", { cursor: nodes.data.next_cursor });
  assert.match(old.text, /without a cursor/);
  assert.match((await there.call("check", { cursor: "x" })).text, /Invalid cursor for this tool/);
  await there.close();
  folder.remove();
});

test("invalid input gets an error that an agent can act on", async () => {
  for (const [name, input, says] of [
    [
      "check",
      { path: "billing.flow.yaml" },
      /unknown property "path" \(did you mean "paths"\?\)\. Expected properties: paths, platform, limit, cursor/,
    ],
    [
      "check",
      { paths: [], nothing: 1, at: 2 },
      /unknown property "nothing"; unknown property "at"\. Expected properties/,
    ],
    ["outline", {}, /"file" is missing/],
    ["outline", { flie: "x" }, /unknown property "flie" \(did you mean "file"\?\); "file" is missing/],
    ["check", { paths: ["a", 5] }, /paths\/1 must be string/],
    ["check", { paths: "billing.flow.yaml" }, /paths must be array/],
    ["check", { paths: ["-"] }, /Standard input/],
    ["check", { paths: ["a\0b"] }, /must match pattern/],
    ["check", { limit: 0 }, /must be >= 1/],
    ["run", { file: "billing.flow.yaml", steps: [{ tkae: "x" }] }, /tkae/],
    ["format", { of: "policy" }, /of must be one of flows, tests, policies, tools\./],
    ["outline", { file: "billing.flowtest.yaml" }, /"billing\.flowtest\.yaml isn't a flow file/],
    ["outline", { file: "nope.flow.yaml" }, /"nope\.flow\.yaml: no such file or folder/],
    ["paths", { file: "." }, /Pass one flow file/],
  ] as const) {
    const { isError, text, data } = await agent.call(name, input);
    assert.match(text, says, name);
    assert.ok(isError || data.status === "failed", name);
  }
});

test("resources: the format, each rule, the policies; prompts: three", async () => {
  const { resources } = await agent.client.listResources();
  const uris = resources.map(({ uri }) => uri);
  assert.ok(uris.includes("assistant-flow://rules/dead-end"));
  for (const uri of uris) {
    const { contents } = await agent.client.readResource({ uri });
    assert.ok((contents[0] as { text: string }).text.length > 100, uri);
  }
  const policies = (await agent.client.readResource({ uri: "assistant-flow://policies" })).contents[0];
  assert.match((policies as { text: string }).text, /Data from files[^\n]+\n```yaml\n/);
  assert.equal((await agent.client.listResourceTemplates()).resourceTemplates.length, 1);
  for (const uri of ["assistant-flow://rules/../format", "assistant-flow://rules/nothing", "file:///etc/passwd"])
    await assert.rejects(agent.client.readResource({ uri }), /Unknown resource/);
  const { prompts } = await agent.client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["write-flow", "fix-flow", "cover-flow"],
  );
  const made = await agent.client.getPrompt({ name: "write-flow", arguments: { purpose: "a hotel desk" } });
  assert.match((made.messages[0] as { content: { text: string } }).content.text, /\n```text\na hotel desk\n```\n/);
  await assert.rejects(agent.client.getPrompt({ name: "write-flow", arguments: {} }), /"purpose" is required/);
});
