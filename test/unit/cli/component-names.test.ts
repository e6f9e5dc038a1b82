/** `component: $name` on the command line: tests, policies, checks and agents follow it to its flow. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { cli, folderWith } from "./cli";

const id = (digits: number) => `6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b${String(digits).padStart(4, "0")}`;

const MAIN = `entry: sub
context_variables:
  found: {type: string}
nodes:
  sub:
    type: component
    component: $part
    saves: {found: $.answer}
    edges: [{to: find, when: "{{found}} is known"}, {to: done}]
  find: {type: tool, tool: $look_up, edges: [{to: done}, {to: done, on: error}]}
  done: {type: end, instructions: Bye.}
`;
const PART = `entry: ask
context_variables:
  answer: {type: string}
nodes:
  ask: {type: collect, variable: answer, instructions: Ask., edges: [{to: bye}]}
  bye: {type: end}
component_outputs:
  - {name: answer, value: "{{answer}}"}
`;
const PROJECT = `default: staging
environments:
  staging:
    url: https://staging.example.com
    flows:
      flows/main.flow.yaml: {assistant: ${id(1)}, revision: ${id(2)}}
      flows/part.flow.yaml: {assistant: ${id(3)}, revision: ${id(4)}}
    names: {part: ${id(3)}, look_up: ${id(5)}}
  production:
    url: https://api.example.com
    flows:
      flows/main.flow.yaml: {assistant: ${id(11)}, revision: ${id(12)}}
      flows/part.flow.yaml: {assistant: ${id(13)}, revision: ${id(14)}}
    names: {part: ${id(14)}, look_up: ${id(15)}}
`;
const TESTS = `flow: main.flow.yaml
tests:
  - name: through the component
    tools: {$look_up: {return: {}}}
    steps: [{give: {answer: x}}]
    expect: {path: [sub, sub/ask, sub/bye, find, done], variables: {found: x}}
`;
const POLICIES = `policies:
  - id: asks-inside
    every_path_to: {node: done}
    passes: {node: sub/ask}
  - id: asks-first
    every_path_to: {tool: $look_up}
    passes: {node: sub/ask}
`;
const TOOLS = {
  version: 1,
  tools: [{ id: id(15), name: "Look up", inputs: [{ name: "account", type: "string", required: true }], outputs: [] }],
  knowledge_base_ids: [],
};

let folder: ReturnType<typeof folderWith>;

before(() => {
  folder = folderWith({
    "assistant-flow.project.yaml": PROJECT,
    "assistant-flow.policies.yaml": POLICIES,
    "flows/main.flow.yaml": MAIN,
    "flows/part.flow.yaml": PART,
    "flows/main.flowtest.yaml": TESTS,
  });
});
after(() => folder.remove());

const at = (...args: string[]) => cli(args, { cwd: folder.path, env: {} });
const write = (name: string, text: string) => writeFileSync(path.join(folder.path, name), text);
const codes = async () => {
  const { out } = await at("check", "--format", "json", "flows/main.flow.yaml", "flows/part.flow.yaml");
  return (JSON.parse(out).files as { findings: { code: string }[] }[]).flatMap(({ findings }) =>
    findings.map(({ code }) => code),
  );
};

test("tests run through a component with a name, and stub a tool by its name", async () => {
  const { code, out, err } = await at("test");
  assert.equal(code, 0, out + err);
  assert.match(out, /1 (test )?passed|1 passed/);
});

test("policies are proved through a component with a name", async () => {
  const { code, out } = await at("policies", "flows/main.flow.yaml");
  assert.equal(code, 0, out);
});

test("check compares inputs and outputs with the flow of the name", async () => {
  assert.deepEqual(await codes(), []);
  write("flows/main.flow.yaml", MAIN.replace("$.answer", "$.anser"));
  assert.deepEqual(await codes(), ["unknown-component-output"]);
  write("flows/main.flow.yaml", MAIN);
});

test("check compares a tool's inputs with the definition of any environment", async () => {
  write("assistant-flow.tools.json", JSON.stringify(TOOLS));
  assert.deepEqual(await codes(), ["missing-tool-input"]);
  write("flows/main.flow.yaml", MAIN.replace("tool: $look_up,", 'tool: $look_up, inputs: {account: "{{found}}"},'));
  assert.deepEqual(await codes(), []);
  write("flows/main.flow.yaml", MAIN);
});

test("a name that two flows share in different environments is the default environment's flow", async () => {
  write("assistant-flow.project.yaml", PROJECT.replace(`part: ${id(14)}`, `part: ${id(11)}`));
  assert.equal((await at("test")).code, 0);
  write(
    "assistant-flow.project.yaml",
    PROJECT.replace("default: staging", "default: production").replace(`part: ${id(14)}`, `part: ${id(11)}`),
  );
  assert.equal((await at("test")).code, 1);
  write("assistant-flow.project.yaml", PROJECT);
});
