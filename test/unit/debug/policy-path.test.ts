/** Debugs the path that violates a policy. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { runAlong, testAlong, wayAlong, wayInto } from "../../../flow/debug";
import { FlowPolicies, readPolicyFile } from "../../../flow/policy";
import { pathOf, programOf } from "../../../flow/run";
import { reachableFrom, readTestFile, runTest, writeTests } from "../../../flow/test";
import { inProject } from "../../../scripts/project";
import { actionsAt } from "../../../server/features/code-actions";

const POLICIES = `policies:
  - {id: plan-first, every_path_to: {node: hand_over}, passes: {node: tell_plan}}
`;

test("the quick fixes of a broken policy play and debug its path, which a run can follow", () => {
  const document = FlowDocument.read(readFileSync(inProject("examples/billing.flow.yaml"), "utf8"));
  const { policies } = readPolicyFile(POLICIES);
  const checked = new FlowPolicies(document);
  assert.ok(checked.update(policies, () => false));
  const problems = checked.problems(policies);
  const context = {
    document,
    problems,
    findings: [],
    suggestion: () => undefined,
    advises: false,
    lists: false,
    settings: {},
    wanted: () => true,
    named: () => false,
  };
  const span = problems[0]?.span ?? { start: 0, end: 0 };
  const runs = actionsAt({ ...context, plays: true }, span).flatMap(({ run, title }) =>
    run ? [{ ...run, title }] : [],
  );
  assert.deepEqual(
    runs.map(({ title, command, path }) => [title, command, path.at(-1)]),
    [
      ["Show This Path in Graph", "assistantFlow.showPath", "hand_over"],
      ["Play This Path", "assistantFlow.playPath", "hand_over"],
      ["Debug This Path", "assistantFlow.debugPath", "hand_over"],
      ["Save This Path as Test", "assistantFlow.savePathAsTest", "hand_over"],
    ],
  );
  assert.ok(actionsAt({ ...context, plays: false }, span).every(({ run }) => run === undefined));
  const program = programOf(document);
  const path = runs[0]?.path ?? [];
  const way = wayAlong(program, path);
  assert.ok(way);
  const run = runAlong({ program, flowOf: () => undefined }, way);
  assert.ok(run);
  while (run.forward().kind === "moved");
  assert.deepEqual(pathOf(run.state), path);
});

test("a path becomes a test that follows it to an end; an impossible path doesn't", () => {
  for (const name of ["billing", "support-line"]) {
    const program = programOf(FlowDocument.read(readFileSync(inProject(`examples/${name}.flow.yaml`), "utf8")));
    for (const { to } of [...program.nodes.values()].flatMap(({ edges }) => edges)) {
      const way = wayInto(program, to);
      const run = way && runAlong({ program, flowOf: () => undefined }, way);
      if (!run) continue;
      while (!pathOf(run.state).includes(to) && run.forward().kind === "moved");
      const path = pathOf(run.state);
      const made = testAlong(program, path);
      assert.ok(made, `${name}: ${path.join(" ")}`);
      const [test] = readTestFile(writeTests(`${name}.flow.yaml`, [made])).tests;
      assert.ok(test);
      const result = runTest(test, program, () => undefined);
      assert.deepEqual(result.failures, []);
      assert.deepEqual(result.path.slice(0, path.length), path);
    }
    assert.equal(testAlong(program, [program.entry?.id ?? "", "nowhere"]), undefined);
  }
});

const AROUND = `entry: greet
context_variables:
  tier: {type: string, enum_values: [gold, silver]}
  known: {type: string, enum_values: ["yes", "no"]}
nodes:
  greet: {type: collect, variable: tier, edges: [{to: identify}]}
  identify:
    type: component
    component: who
    inputs: {level: "{{tier}}"}
    saves: {known: $.known}
    edges: [{to: refund, when: "{{known}} is yes"}, {to: bye}, {to: bye, on: error}]
  refund: {type: message, edges: [{to: bye}]}
  bye: {type: end}
`;
const WITHIN = `revision: who
entry: look
context_variables:
  level: {type: string, enum_values: [gold, silver]}
  found: {type: string, enum_values: ["yes", "no"]}
component_outputs: [{name: known, value: "{{found}}"}]
nodes:
  look: {type: decision, edges: [{to: search, when: "{{level}} is silver"}, {to: ask}]}
  search: {type: tool, tool: t, saves: {found: $.it}, edges: [{to: done, when: it was quick}, {to: ask, when: it took long}]}
  ask: {type: collect, variable: found, edges: [{to: done}]}
  done: {type: end}
`;

test("a path through a component is played, and becomes a test that follows it", () => {
  const program = programOf(FlowDocument.read(AROUND));
  const inside = programOf(FlowDocument.read(WITHIN));
  const flowOf = (id: string) => (id === "who" ? inside : undefined);
  const { policies } = readPolicyFile(`policies:
  - {id: silver, never: {from: {node: identify/search}, to: {node: refund}}}
  - {id: asked, every_path_to: {node: identify/done}, passes: {node: identify/ask}}
  - {id: refunded, every_path_to: {node: bye}, passes: {node: refund}}
`);
  const checked = new FlowPolicies(program.document, flowOf);
  checked.update(policies);
  const expected = [
    ["greet", "identify", "identify/look", "identify/search", "identify/done", "refund"],
    ["greet", "identify", "identify/look", "identify/search", "identify/done"],
    ["greet", "identify", "bye"],
  ];
  policies.forEach((policy, index) => {
    const { path } = checked.verdict(policy) ?? { path: [] };
    assert.deepEqual(path, expected[index]);
    const way = wayAlong(program, path, flowOf);
    assert.ok(way, policy.id);
    const run = runAlong({ program, flowOf }, way);
    assert.ok(run);
    while (run.forward().kind === "moved");
    assert.deepEqual(pathOf(run.state).slice(0, path.length), path);
    const made = testAlong(program, path, flowOf);
    assert.ok(made, policy.id);
    const [test] = readTestFile(writeTests("a.flow.yaml", [made])).tests;
    assert.ok(test);
    const result = runTest(test, program, flowOf);
    assert.deepEqual(result.failures, []);
    assert.deepEqual(result.path.slice(0, path.length), path);
  });
});

test("the path to a node after a component goes through the component's flow", () => {
  const program = programOf(FlowDocument.read(AROUND));
  const inside = programOf(FlowDocument.read(WITHIN));
  const flowOf = (id: string) => (id === "who" ? inside : undefined);
  for (const id of ["refund", "bye"]) {
    const way = wayInto(program, id, flowOf);
    const run = way && runAlong({ program, flowOf }, way);
    assert.ok(run);
    while (!pathOf(run.state).includes(id) && run.forward().kind === "moved");
    const path = pathOf(run.state);
    assert.equal(path.at(-1), id);
    assert.deepEqual(path.slice(0, 3), ["greet", "identify", id === "refund" ? "identify/look" : "bye"]);
  }
});

test("every reachable node of the examples has a shortest path, and a run that follows it arrives there", () => {
  for (const name of ["billing", "support-line"]) {
    const program = programOf(FlowDocument.read(readFileSync(inProject(`examples/${name}.flow.yaml`), "utf8")));
    for (const id of reachableFrom(program).nodes) {
      const way = wayInto(program, id);
      assert.ok(way, `${name}: ${id}`);
      const run = runAlong({ program, flowOf: () => undefined }, way);
      assert.ok(run);
      while (!pathOf(run.state).includes(id) && run.forward().kind === "moved");
      assert.equal(pathOf(run.state).at(-1), id, `${name}: ${id}`);
    }
  }
});
