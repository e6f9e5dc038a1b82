/** Answers of tools with the shape of their outputs: generated tests and stubs. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { programOf, type RunNode } from "../../../flow/run";
import { generateTests, readTestFile, runTest, stubsFor, withToolOutputs, writeTests } from "../../../flow/test";
import { KnownTools, readSnapshot, type ToolDefinitions } from "../../../flow/tools";
import { TestRunner } from "../../../server/testing/run";
import { cli, folderWith } from "../cli/cli";

const snapshot = (...outputs: object[]) =>
  JSON.stringify({ version: 1, tools: [{ id: "6A2D7C1E-0c4b-4b7e-9f2c-3d1f5a9b0003", name: "Look up", outputs }] });

const known = (...outputs: object[]) => new KnownTools([readSnapshot(snapshot(...outputs)) as ToolDefinitions]);

const flow = (saves: string) => `entry: a
context_variables:
  plan: {type: string, enum_values: [basic, plus]}
nodes:
  a:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    saves: ${saves}
    edges: [{to: b, when: "{{plan}} is plus"}, {to: b, on: error}, {to: c}]
  b: {type: end}
  c: {type: end}
`;

function stub(saves: string, ...outputs: object[]): string | undefined {
  const program = programOf(FlowDocument.read(flow(saves)));
  return stubsFor(program, program.nodes.get("a") as RunNode, known(...outputs))[0]?.text;
}

test("a stub has what is saved, and the tool's other outputs", () => {
  const plan = { path: "$.plan", alias: "plan" };
  assert.equal(stub("{plan: $.plan}"), "{return: {plan: basic}}");
  assert.equal(stub("{}", plan), '{return: {plan: ""}}');
  assert.equal(stub("{plan: $.plan}", plan, { path: "$.owner.name" }), '{return: {plan: basic, owner: {name: ""}}}');
  assert.equal(
    stub("{plan: $.tariff}", { path: "$.plan.name", alias: "tariff" }),
    "{return: {tariff: basic}}",
    "alias",
  );
  assert.equal(stub("{plan: $.plan}", { path: "$.plan.name" }), "{return: {plan: basic}}", "a child of what is saved");
  assert.equal(stub("{plan: $.plan.name}", { path: "$.plan" }), "{return: {plan: {name: basic}}}", "its parent");
  assert.equal(
    stub("{}", { path: "$.items[*].id" }, { path: "$['x y'][1]" }),
    '{return: {items: [{id: ""}], x y: [null, ""]}}',
  );
  assert.equal(
    stub("{}", { path: "$..x" }, { path: "$.a[4000000000]" }, { path: "$.a[?(@.b)]" }),
    "{return: {}}",
    "paths without a shape that could be shown",
  );
  assert.equal(stub("{}", { path: "$.__proto__.x" }), '{return: {__proto__: {x: ""}}}');
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test("generated tests answer with all outputs, take the same paths and pass", () => {
  const program = programOf(FlowDocument.read(flow("{plan: $.plan}")));
  const { tests } = generateTests(program);
  const text = writeTests("a.flow.yaml", withToolOutputs(tests, known({ path: "$.plan" }, { path: "$.balance" })));
  assert.match(text, /a: \{return: \{plan: plus, balance: ""\}\}/);
  const file = readTestFile(text);
  assert.equal(file.tests.length, tests.length);
  for (const each of file.tests) assert.deepEqual(runTest(each, program, () => undefined).failures, [], each.name);
});

test("test --generate uses the saved definitions, and works without or with bad ones", async () => {
  const folder = folderWith({ ".git/HEAD": "", "a.flow.yaml": flow("{plan: $.plan}") });
  const generate = async (tools: string) => {
    writeFileSync(path.join(folder.path, "assistant-flow.tools.json"), tools);
    return (await cli(["test", "--generate", "a.flow.yaml"], { cwd: folder.path })).out;
  };
  assert.match(await generate(snapshot({ path: "$.balance" })), /plan: plus, balance: ""/);
  const plain = await generate("{");
  assert.match(plain, /plan: plus\}/);
  assert.doesNotMatch(plain, /balance/);
  folder.remove();
});

test("Create Test uses the definition of a tool that the flow calls by a name", async () => {
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";
  const folder = folderWith({
    ".git/HEAD": "",
    "a.flow.yaml": flow("{plan: $.plan}").replace(id, "$look_up"),
    "assistant-flow.project.yaml": `environments:
  staging:
    url: https://staging.example.com
    flows: {a.flow.yaml: {assistant: ${id.replace("0003", "0001")}, revision: ${id.replace("0003", "0002")}}}
    names: {look_up: ${id}}
`,
  });
  const made = (await new TestRunner(async () => undefined).do({
    kind: "new",
    flow: path.join(folder.path, "a.flow.yaml"),
    cwd: folder.path,
    what: { kind: "all" },
    tools: snapshot({ path: "$.plan" }, { path: "$.balance" }),
    unsaved: [],
  })) as { text: string };
  folder.remove();
  assert.match(made.text, /return: \{plan: plus, balance: ""\}/);
});
