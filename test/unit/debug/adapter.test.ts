/** `assistant-flow dap` from a client's view: every message is validated against the protocol's types. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { PLACE } from "../../../debug/messages";
import { inProject } from "../../../scripts/project";
import { DebugClient, endAll } from "./client";
import { ProtocolSchema } from "./protocol-schema";

const folder = mkdtempSync(path.join(tmpdir(), "aflow-dap-"));
after(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});
cpSync(inProject("examples"), folder, { recursive: true });
const billing = path.join(folder, "billing.flow.yaml");
const lineOf = (file: string, words: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(words)) + 1;

const outer = path.join(folder, "outer.flow.yaml");
writeFileSync(
  outer,
  `assistant: 11111111-0c4b-4b7e-9f2c-3d1f5a9b0001
entry: hello
nodes:
  hello:
    type: message
    edges: [{to: part}]
  part:
    type: component
    component: 22222222-0c4b-4b7e-9f2c-3d1f5a9b0002
    inputs: {who: Ada}
    saves: {result: $.answer}
    edges:
      - to: done
        when: "{{result}} is known"
      - to: hello
  done:
    type: end
`,
);
writeFileSync(
  path.join(folder, "inner.flow.yaml"),
  `assistant: 22222222-0c4b-4b7e-9f2c-3d1f5a9b0002
entry: first
nodes:
  first:
    type: message
    instructions: Greet {{who}}.
    edges: [{to: second}]
  second:
    type: end
component_outputs:
  - {name: answer, value: "{{who}}"}
`,
);
const loop = path.join(folder, "loop.flow.yaml");
writeFileSync(
  loop,
  `entry: a
context_variables:
  count: {type: number}
nodes:
  a:
    type: message
    instructions: Read {{name}}.
    edges: [{to: b}]
  b:
    type: tool
    tool: t
    saves: {count: $.n}
    edges:
      - {to: c, when: "{{count}} > 3"}
      - {to: a}
  c:
    type: message
    edges: [{to: nowhere}]
`,
);

const breakAt =
  (file: string, ...breakpoints: DebugProtocol.SourceBreakpoint[]) =>
  async (client: DebugClient) => {
    const body = await client.request<DebugProtocol.SetBreakpointsResponse["body"]>("setBreakpoints", {
      source: { path: file },
      breakpoints,
    });
    for (const each of body.breakpoints) assert.ok(each.verified, each.message);
  };
const filters =
  (...names: string[]) =>
  (client: DebugClient) =>
    client.request("setExceptionBreakpoints", { filters: names });

test("the protocol's types detect an invalid message", () => {
  const schema = new ProtocolSchema();
  assert.ok(schema.names.length > 150);
  const stopped = { seq: 1, type: "event", event: "stopped", body: { reason: "step", threadId: 1 } };
  assert.deepEqual(schema.problems(stopped), []);
  assert.equal(schema.problems({ ...stopped, body: { threadId: 1 } } as never).length, 1);
  assert.equal(schema.problems({ ...stopped, body: { reason: "step", thread: 1 } } as never).length, 1);
  assert.throws(() => schema.problems({ type: "event", event: "stoped" }), /no StopedEvent/);
});

test("from the first question to the end, with answers typed into the console", async () => {
  const client = await DebugClient.launch(folder, { program: "billing.flow.yaml" });
  const first = await client.stopped();
  assert.equal(first.reason, "question");
  assert.match(first.text ?? "", /greet/);
  const asked = await client.event<{ choices: { words: string }[] }>("assistantFlow.question");
  assert.deepEqual(
    asked.choices.map(({ words }) => words),
    ["the caller asks about a bill", "goodbye"],
  );
  assert.equal(await client.at(), `greet:${lineOf(billing, "  greet:")}`);
  assert.deepEqual(
    (await client.scope("Edges")).map(({ name, value }) => [name, value]),
    [
      ["the caller asks about a bill → ask_account", "open: left to the model"],
      ["→ goodbye", "true: no condition"],
    ],
  );
  const offers = await client.request<DebugProtocol.CompletionsResponse["body"]>("completions", {
    frameId: 1,
    text: "ta",
    column: 3,
  });
  assert.deepEqual(
    offers.targets.filter(({ type }) => type === "function").map(({ text }) => text),
    ["take the caller asks about a bill", "take goodbye"],
  );
  const wrong = await client.ask("evaluate", { expression: "take nonsense", context: "repl" });
  assert.match(wrong.message ?? "", /can't take "nonsense"/);
  assert.equal(await client.evaluate("take the caller asks about a bill", "repl"), "take the caller asks about a bill");
  // Without it, VS Code still shows that the run waits for an answer.
  assert.equal((await client.event<DebugProtocol.ContinuedEvent["body"]>("continued")).threadId, 1);
  assert.equal((await client.stopped()).reason, "question");
  assert.equal(await client.at(), `ask_account:${lineOf(billing, "  ask_account:")}`);
  await client.evaluate("give account_id 4711", "repl");
  await client.stopped();
  assert.equal(await client.evaluate("{{account_id}} is known"), "true");
  assert.equal(await client.evaluate("{{account_id}} is 4711"), "true");
  assert.equal(await client.evaluate("account_id", "hover"), '"4711"');
  assert.match(await client.evaluate("{{plan}} is unknown and the caller is angry"), /^open: /);
  const call = await client.event<{ answer: string; events: string[] }>("assistantFlow.question");
  assert.equal(call.answer, '{"plan":"basic"}');
  assert.deepEqual(call.events, ["error"]);
  await client.evaluate('return {"plan": "plus"}', "repl");
  await client.event("terminated");
  assert.equal((await client.event<{ exitCode: number }>("exited")).exitCode, 0);
  assert.match(
    client.output("stdout"),
    /Which edge does "greet" take\?\n {2}take the caller asks.*ended at "goodbye"/s,
  );
  assert.equal(client.output("stdout"), client.output(), "VS Code would show another category as a warning");
  await client.end();
});

test("breakpoints on a node and an edge, steps there and back", async () => {
  const client = await DebugClient.launch(
    folder,
    { program: billing, test: "the caller learns the plan" },
    breakAt(billing, { line: lineOf(billing, "on: error") - 2 }, { line: lineOf(billing, "Tell the caller") }),
  );
  assert.equal((await client.stopped()).reason, "breakpoint");
  assert.equal(await client.at(), `look_up → tell_plan:${lineOf(billing, "- to: tell_plan")}`);
  assert.equal((await client.go("next")).reason, "step");
  assert.equal(await client.at(), `tell_plan:${lineOf(billing, "  tell_plan:")}`);
  const places: string[] = [];
  for (let back = 0; back < 20 && (await client.go("stepBack")).reason === "step"; back++)
    places.push(await client.at());
  assert.deepEqual(
    places.map((place) => place.split(":")[0]),
    ["look_up", "ask_account", "greet", "greet"],
  );
  assert.equal((await client.go("continue")).reason, "breakpoint");
  assert.equal((await client.go("reverseContinue")).reason, "entry");
  await client.request("continue", { threadId: 1 });
  await client.stopped();
  assert.deepEqual(
    (await client.scope("Variables")).map(({ name, value }) => [name, value]),
    [
      ["account_id", '"4711"'],
      ["plan", '"plus"'],
    ],
  );
  assert.match((await client.scope("Conversation")).map(({ value }) => value).join("\n"), /Ask for the account number/);
  assert.equal((await client.go("continue")).reason, "breakpoint", "the node behind the edge has its own");
  assert.match(await client.at(), /^tell_plan:/);
  await client.request("continue", { threadId: 1 });
  await client.event("terminated");
  assert.match(client.output(), /The test passed/);
  await client.end();
});

test("k steps forward and k back show the same", async () => {
  const client = await DebugClient.launch(folder, { program: outer, stopOnEntry: true, stopAtEnd: true });
  assert.equal((await client.stopped()).reason, "entry");
  const look = async () =>
    JSON.stringify([
      await client.stack(),
      await client.scope("Variables"),
      await client.scope("Edges"),
      await client.scope("Conversation"),
    ]);
  for (const steps of [
    ["next", "next"],
    ["stepIn", "stepIn", "stepIn", "stepIn"],
    ["stepIn", "stepIn", "stepOut"],
  ]) {
    const looks = [await look()];
    for (const step of steps) {
      await client.go(step);
      looks.push(await look());
    }
    for (let back = steps.length - 1; back >= 0; back--) {
      await client.go("stepBack");
      assert.equal(await look(), looks[back], `${steps.join()} back to ${back}`);
    }
  }
  await client.end();
});

test("components: over, into, out, frames, restart, and the edge after", async () => {
  const client = await DebugClient.launch(folder, { program: outer, stopOnEntry: true });
  await client.stopped();
  await client.go("next");
  assert.equal(await client.at(), "part:7");
  await client.go("stepIn");
  assert.equal(await client.at(), "part/first:4 < part:7");
  assert.deepEqual(
    (await client.scope("Variables", 2)).map(({ name, value }) => [name, value]),
    [["who", '"Ada"']],
  );
  assert.match((await client.scope("Edges", 1)).map(({ value }) => value).join(), /result is unset/);
  await client.go("stepOut");
  assert.equal(await client.at(), "done:16");
  await client.go("stepBack");
  assert.equal(await client.at(), "part/first:4 < part:7");
  await client.go("restartFrame", { frameId: 1 });
  assert.equal(await client.at(), "part:7");
  await client.go("next");
  assert.equal(await client.at(), "done:16");
  await client.end();
});

test("conditions, hit counts, logpoints and exceptions", async () => {
  const tools = { b: [1, 2, 3, 4].map((n) => ({ return: { n } })) };
  const client = await DebugClient.launch(folder, { program: loop, tools }, async (each) => {
    await filters("stuck")(each);
    await breakAt(
      loop,
      { line: 5, hitCondition: "3" },
      { line: 9, condition: "{{count}} is 1" },
      { line: 6, logMessage: "count is {{count}}, {count} {in all}" },
    )(each);
    const odd = await each.request<DebugProtocol.SetBreakpointsResponse["body"]>("setBreakpoints", {
      source: { path: outer },
      breakpoints: [
        { line: 4, condition: "the caller is angry" },
        { line: 4, hitCondition: "often" },
        { line: 1 },
        { line: 4, condition: "{{nobody}} is known" },
      ].concat(["0", "< 1", "<= 0", "% 0"].map((hitCondition) => ({ line: 4, hitCondition }))),
    });
    assert.deepEqual(
      odd.breakpoints.map(({ verified }) => verified),
      Array(8).fill(false),
    );
    assert.equal(odd.breakpoints[3]?.message, 'Variable "nobody" doesn\'t exist.');
    assert.match(odd.breakpoints[0]?.message ?? "", /Only a model/);
  });
  const stops: string[] = [];
  for (let stop = await client.stopped(); ; stop = await client.go("continue")) {
    stops.push(`${stop.reason} ${await client.at()} ${await client.evaluate("count")}`);
    if (stop.reason === "exception") break;
  }
  assert.deepEqual(stops, ["breakpoint b:9 1", "breakpoint a:5 2", "exception c:16 4"]);
  const info = await client.request<DebugProtocol.ExceptionInfoResponse["body"]>("exceptionInfo", { threadId: 1 });
  assert.equal(info.exceptionId, "stuck");
  assert.match(
    client.output(),
    /count is unset, unset {in all}\ncount is 1, 1 {in all}\ncount is 2, 2 {in all}\ncount is 3, 3 {in all}\n/,
  );
  await client.request("continue", { threadId: 1 });
  await client.event("terminated");
  assert.equal((await client.event<{ exitCode: number }>("exited")).exitCode, 1);
  await client.end();
});

test("reading an unset variable, and a run without an end, stop as exceptions", async () => {
  const unset = await DebugClient.launch(folder, { program: loop, tools: { b: { return: {} } } });
  const stop = await unset.stopped();
  assert.equal(stop.reason, "exception");
  assert.match(stop.text ?? "", /"a" reads "name"/);
  await filters("endless")(unset);
  assert.equal((await unset.go("continue")).reason, "exception");
  assert.match(
    (await unset.request<{ description: string }>("exceptionInfo", { threadId: 1 })).description,
    /doesn't end/,
  );
  await unset.end();
});

test("variables are changed, and the run goes on with them", async () => {
  const client = await DebugClient.launch(folder, { program: loop, stopOnEntry: true });
  await client.stopped();
  await client.go("next");
  const { scopes } = await client.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 });
  const variablesReference = scopes[0]?.variablesReference;
  await client.request("setVariable", { variablesReference, name: "count", value: "7" });
  assert.equal(await client.evaluate("{{count}} > 3"), "true");
  await client.request("setExpression", { expression: "{{count}}", value: "unset", frameId: 1 });
  assert.equal(await client.evaluate("count"), "unset");
  const refused = await client.ask("setVariable", {
    variablesReference: (variablesReference ?? 0) + 1,
    name: "x",
    value: "1",
  });
  assert.equal(refused.success, false);
  await client.evaluate("event busy", "repl");
  assert.equal((await client.stopped()).reason, "exception");
  await client.end();
});

test("an unlisted value is rejected, a step back reports what it undid, and answers are echoed", async () => {
  const file = path.join(folder, "listed.flow.yaml");
  writeFileSync(
    file,
    `entry: ask
context_variables: {plan: {type: enum, enum_values: [basic, plus]}, size: {type: number}}
nodes:
  ask: {type: collect, variable: plan, edges: [{to: bye}]}
  bye: {type: end}
`,
  );
  const client = await DebugClient.launch(folder, { program: file, stopOnEntry: true });
  await client.stopped();
  const set = async (name: string, value: string) => {
    const [scope] = (await client.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 })).scopes;
    return client.ask("setVariable", { variablesReference: scope?.variablesReference, name, value });
  };
  const printed = () =>
    client.events.flatMap(({ event, body }) => (event === "output" ? [String(body.output).trimEnd()] : []));
  const unlisted = '"plan" has no value "gold". Its values: "basic", "plus".';
  const rejected = await set("plan", "gold");
  assert.equal(rejected.message, unlisted);
  assert.equal(rejected.body.error.showUser, false, "the client shows it in the variable's box");
  const word = await client.ask("evaluate", { expression: "hello", context: "hover", frameId: 1 });
  assert.equal(word.success, false);
  assert.equal(word.body.error.showUser, false, "most words below the mouse aren't expressions");
  assert.ok(printed().includes(unlisted));
  assert.equal((await set("plan", "basic")).success, true);
  assert.equal((await set("plan", "plus")).success, true);
  assert.equal((await set("plan", "unset")).success, true);
  assert.equal((await set("size", "3")).success, true);
  const back = await client.go("stepBack");
  assert.equal(back.description, 'Undid the change of "size"');
  await client.go("stepBack");
  await client.go("stepBack");
  assert.deepEqual(
    printed().filter((line) => line.startsWith("Undid")),
    [
      'Undid the change of "size" to 3: it is unset again.',
      'Undid the change of "plan" to unset: it is "plus" again.',
      'Undid the change of "plan" to "plus": it is "basic" again.',
    ],
  );
  await client.go("next"); // Undone changes are made again.
  await set("plan", "unset");
  await client.go("continue");
  const asked = (text: string) => client.ask("assistantFlow.answer", { text });
  const invalid = await asked("give plan gold");
  assert.match(String(invalid.message), /has no value "gold"/);
  assert.equal(invalid.body.error.showUser, false, "the question shows it");
  assert.ok(!printed().includes("give plan gold"), "what isn't an answer isn't echoed");
  // From a list, a value comes in quotes.
  assert.equal((await asked('give plan "plus"')).success, true);
  assert.ok(printed().includes("give plan plus"));
  await client.end();
});

test("questions, frames and the conversation name the tool, and the console echoes the words of an edge", async () => {
  const named = mkdtempSync(path.join(folder, "named-"));
  const file = path.join(named, "named.flow.yaml");
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0103";
  writeFileSync(
    file,
    `entry: ask
nodes:
  ask:
    type: decision
    name: Question
    edges:
      - {id: e_1, to: look, when: the caller is a customer}
      - {id: e_2, to: bye}
  look: {type: tool, tool: ${id}, edges: [{to: bye}]}
  bye: {type: end}
`,
  );
  const tools = [{ id, name: "Find account" }];
  writeFileSync(path.join(named, "assistant-flow.tools.json"), JSON.stringify({ version: 1, tools }));
  const client = await DebugClient.launch(named, { program: file });
  await client.stopped();
  await client.request("assistantFlow.answer", { text: "take e_1" });
  const asked = 'What does the tool "Find account" at "look" return?';
  assert.equal((await client.stopped()).text, asked);
  const printed = client.events.flatMap(({ event, body }) => (event === "output" ? [String(body.output)] : []));
  assert.ok(printed.includes("take the caller is a customer\n"));
  assert.ok(!printed.some((line) => line.includes("e_1")));
  assert.equal((await client.stack())[0]?.name, "look (Find account)");
  assert.deepEqual(
    (await client.scope("Conversation")).map(({ name }) => name),
    ["1 ask (Question)", "2 ask", "3 look (Find account)"],
  );
  await client.end();
});

test("only existing variables can be changed, answers must be valid, and braces stay braces", async () => {
  const file = path.join(folder, "asking.flow.yaml");
  writeFileSync(
    file,
    `entry: look
context_variables: {plan: {type: string}, size: {type: number}}
nodes:
  look: {type: tool, tool: t, saves: {plan: $.plan}, edges: [{to: bye}, {to: bye, on: error}]}
  bye: {type: end}
`,
  );
  const client = await DebugClient.launch(folder, { program: file, stopOnEntry: true });
  await client.stopped();
  const [variables] = (await client.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 })).scopes;
  const variablesReference = variables?.variablesReference;
  const set = (name: string, value: string) => client.ask("setVariable", { variablesReference, name, value });
  const express = (expression: string) => client.ask("setExpression", { expression, value: "1", frameId: 1 });
  for (const refused of [
    await set("plann", "x"),
    await set("", "x"),
    await express("plann"),
    await express("{{plann}}"),
  ])
    assert.match(
      String(refused.message),
      /^Variable "(plann" doesn't exist\. Did you mean "plan"\?|" doesn't exist\.)/,
    );
  for (const value of ["{bad", "[1, 2", '{"a": 1}}', '"open', "{a: [}", "{{plan}}", "[{{plan}}]"])
    for (const name of ["size", "plan"])
      assert.match(String((await set(name, value)).message), /^Couldn't parse the value /, value);
  assert.deepEqual(
    (await client.scope("Variables")).map(({ name, value }) => [name, value]),
    [
      ["plan", "unset"],
      ["size", "unset"],
    ],
  );
  assert.equal((await set("plan", "the one [I] said")).success, true);
  const ask = (expression: string) => client.ask("evaluate", { expression, context: "repl" });
  await client.go("next");
  for (const answer of [
    "{bad",
    "[1,",
    '"open',
    '{"a": 1} x',
    "{a: 1}}",
    "a: b: c",
    "{a: 1, a: 2}",
    "*x",
    "{{plan}}",
    "{plan: {{plan}}}",
  ])
    assert.match(String((await ask(`return ${answer}`)).message), /^Couldn't parse the answer /, answer);
  const wrong = await ask("{{plan}} {{size}} and so on");
  assert.match(String(wrong.message), /^"\{\{plan\}\} /);
  const { error } = wrong.body as DebugProtocol.ErrorResponse["body"];
  assert.deepEqual(
    error?.format.replace(/\{(\w+)\}/g, (_, name: string) => error.variables?.[name] ?? "?"),
    wrong.message,
  );
  assert.equal((await ask('return {"plan": "plus"}')).success, true);
  assert.equal((await client.stopped()).reason, "step");
  await client.end();
});

test("a run that a test can't repeat isn't saved, with the reason", async () => {
  const client = await DebugClient.launch(folder, { program: billing });
  await client.stopped();
  const save = async () => await client.request<object>("assistantFlow.saveAsTest", { flow: "billing.flow.yaml" });
  assert.deepEqual(await save(), { problem: "Let the conversation end before saving it as a test." });
  const { scopes } = await client.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 });
  const { variablesReference } = scopes[0] as DebugProtocol.Scope;
  await client.request("setVariable", { variablesReference, name: "plan", value: "plus" });
  await client.evaluate("take goodbye", "repl");
  await client.event("terminated");
  const problem = 'A test can\'t set "plan" here. Step back and give it as an answer.';
  assert.deepEqual(await save(), { problem });
  await client.end();
});

test("going to a node of the path, and running to a place", async () => {
  const client = await DebugClient.launch(folder, {
    program: billing,
    test: "a failing look-up hands over",
    stopAtEnd: true,
  });
  assert.equal((await client.stopped()).reason, "end");
  const ends = () => client.output().match(/The caller was transferred at "hand_over"/g)?.length;
  assert.equal(ends(), 1, "the console says why the run pauses");
  const line = lineOf(billing, "variable: account_id");
  const { targets } = await client.request<DebugProtocol.GotoTargetsResponse["body"]>("gotoTargets", {
    source: { path: billing },
    line,
  });
  assert.deepEqual(
    targets.map(({ label }) => label),
    ["ask_account"],
  );
  assert.equal((await client.go("goto", { threadId: 1, targetId: targets[0]?.id })).reason, "goto");
  assert.equal(await client.at(), `ask_account:${lineOf(billing, "  ask_account:")}`);
  const { nodes } = await client.request<{ nodes: string[] }>("assistantFlow.path");
  assert.deepEqual(nodes, ["greet", "ask_account"]);
  await breakAt(billing, { line: lineOf(billing, "destination:") })(client);
  assert.equal((await client.go("continue")).reason, "breakpoint");
  assert.equal(await client.at(), `hand_over:${lineOf(billing, "  hand_over:")}`);
  assert.equal((await client.go("continue")).reason, "end");
  await client.request("continue", { threadId: 1 });
  await client.event("terminated");
  assert.equal(ends(), 2, "once for each pause at the end");
  await client.end();
});

test("a test is debugged to its failing step", async () => {
  const file = path.join(folder, "wrong.flowtest.yaml");
  writeFileSync(
    file,
    `flow: billing.flow.yaml
tests:
  - name: wrong
    steps:
      - take: the caller asks about a bill
      - take: something else
`,
  );
  const client = await DebugClient.launch(folder, { program: file, test: "wrong" });
  const stop = await client.stopped();
  assert.equal(stop.reason, "exception");
  assert.match(stop.text ?? "", /asks at "ask_account" for "account_id"/);
  await client.end();
});

test("a failed launch is reported without a stack trace", async () => {
  for (const [configuration, words] of [
    [{}, /Set `program`/],
    [{ program: "gone.flow.yaml" }, /Flow file "gone.flow.yaml" doesn't exist/],
    [{ program: "assistant-flow.policies.yaml" }, /"assistant-flow.policies.yaml" isn't a flow file or a test file/],
    [{ program: billing, given: { plam: 1 } }, /`given`: Variable "plam" doesn't exist\. Did you mean "plan"\?/],
    [{ program: billing, test: "nobody" }, /Test "nobody" doesn't exist for billing.flow.yaml/],
    [{ program: "billing.flowtest.yaml", test: "nobody" }, /Its tests: "the caller learns the plan"/],
    [{ program: billing, tools: { look_up: { retrun: {} } } }, /Did you mean "return"/],
  ] as const) {
    const client = DebugClient.start(folder);
    await client.initialize();
    const response = await client.ask("launch", configuration);
    assert.equal(response.success, false);
    assert.match(response.message ?? "", words);
    await client.end();
  }
  const client = DebugClient.start(folder);
  await client.initialize({ linesStartAt1: false, columnsStartAt1: false });
  assert.equal((await client.ask("next", { threadId: 1 })).success, false);
  assert.equal((await client.ask("readMemory", { memoryReference: "1", count: 1 })).success, false);
  await client.end();
});

test("an edit repeats the run, moves breakpoints, and reports answers that no longer apply", async () => {
  const file = path.join(folder, "edited.flow.yaml");
  writeFileSync(file, readFileSync(billing, "utf8"));
  const client = await DebugClient.launch(
    folder,
    { program: file },
    breakAt(file, { line: lineOf(file, "  look_up:") }),
  );
  await client.stopped();
  await client.evaluate("take 1", "repl");
  await client.stopped();
  await client.evaluate("give account_id 12", "repl");
  assert.equal((await client.stopped()).reason, "breakpoint");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("nodes:\n", "nodes:\n  # One more line.\n"));
  const moved = await client.event<DebugProtocol.BreakpointEvent["body"]>("breakpoint");
  assert.equal(moved.breakpoint.line, lineOf(file, "  look_up:"));
  // The run is still at the same node: a new stop would move the cursor while the user types.
  const stops = () => client.events.filter(({ event }) => event === "stopped").length;
  const before = stops();
  await client.event(PLACE);
  assert.equal(stops(), before);
  assert.equal(await client.at(), `look_up:${lineOf(file, "  look_up:")}`);
  assert.equal(await client.evaluate("account_id"), '"12"');
  writeFileSync(file, text.replace("variable: account_id", "variable: plan"));
  assert.equal((await client.stopped()).preserveFocusHint, true);
  assert.equal(await client.at(), `ask_account:${lineOf(file, "  ask_account:")}`);
  assert.match(client.output(), /answer at "ask_account" no longer applies/);
  writeFileSync(file, text);
  assert.equal((await client.stopped()).preserveFocusHint, true);
  assert.equal(await client.at(), `look_up:${lineOf(file, "  look_up:")}`);
  await client.end();
});

test("the problem of an unfinished edit is reported once, not after each key, and so is its repair", async () => {
  const file = path.join(folder, "unfinished.flow.yaml");
  const text = readFileSync(billing, "utf8");
  writeFileSync(file, text);
  const client = await DebugClient.launch(folder, { program: file, stopOnEntry: true });
  await client.stopped();
  await client.event(PLACE);
  const broken = (words: string) => text.replace("Ask for the account number.", `Ask for the account: ${words}`);
  for (const edited of [broken("f"), broken("fi"), broken("five"), text, broken("five")]) {
    writeFileSync(file, edited);
    await client.event(PLACE);
  }
  assert.equal(client.output("stderr").match(/The run wasn't updated/g)?.length, 2);
  for (const repaired of [text, `# Another comment.\n${text}`]) {
    writeFileSync(file, repaired);
    await client.event(PLACE);
  }
  const all =
    /^The run wasn't updated: .*\nThe run was updated\.\nThe run wasn't updated: .*\nThe run was updated\.\n$/;
  assert.match(client.output(), all, "once after each repair");
  await client.end();
});

test("after an edit at the end, the session still ends with one Continue", async () => {
  const file = path.join(folder, "edited-at-end.flow.yaml");
  const text = "entry: greet\nnodes:\n  greet: {type: message, edges: [{to: bye}]}\n  bye: {type: end}\n";
  writeFileSync(file, text);
  const client = await DebugClient.launch(folder, { program: file, stopAtEnd: true });
  assert.equal((await client.stopped()).reason, "end");
  await client.event(PLACE);
  writeFileSync(file, text.replace("nodes:", "# One more line.\nnodes:"));
  await client.event(PLACE);
  await client.ask("continue", { threadId: 1 });
  await client.event("terminated");
  assert.equal(client.output().match(/The conversation ended at "bye"/g)?.length, 1, "the end is reported once");
  await client.end();
});

test("the adapter exits with its client, even in the middle of a launch", async () => {
  const client = DebugClient.start(folder);
  const exit = once(client.process, "exit");
  await client.initialize();
  void client.ask("launch", { program: billing, stopOnEntry: true });
  client.process.stdin?.end();
  await exit;
});

test("a frame has a start and no end: an editor that selected it would let the next key replace the node's key", async () => {
  const client = await DebugClient.launch(folder, { program: billing, stopOnEntry: true });
  await client.stopped();
  for (const frame of await client.stack()) {
    assert.equal(frame.endLine, undefined);
    assert.equal(frame.endColumn, undefined);
  }
  await client.end();
});
