/** The work of generating tests, counted in steps: near-linear in long flows, and limited for any number of values. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { programOf } from "../../../flow/run";
import { Work } from "../../../flow/run/work";
import { generateTests } from "../../../flow/test";

const flowOf = (variables: readonly string[], values: string, nodes: readonly string[]) =>
  `entry: n0
context_variables:
${variables.map((name) => `  ${name}: {type: string, enum_values: [${values}]}`).join("\n")}
nodes:
${nodes.map((node) => `  ${node}`).join("\n")}
`;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** The generated tests, and the steps spent on them. */
function counted(text: string) {
  const spend = Work.prototype.spend;
  let steps = 0;
  Work.prototype.spend = function (this: Work, some: number) {
    // Parts of a budget pass their steps on.
    if (!(this as unknown as { together?: Work }).together) steps += some;
    spend.call(this, some);
  };
  try {
    return { ...generateTests(programOf(FlowDocument.read(text))), steps };
  } finally {
    Work.prototype.spend = spend;
  }
}

/** Three nodes for each question: either branch comes back to the chain. */
const branches = (count: number) =>
  flowOf(
    numbers(20).map((at) => `v${at}`),
    "a, b",
    [
      ...numbers(count).flatMap((at) => [
        `n${at}: {type: collect, variable: v${at % 20}, edges: [{to: x${at}, when: "{{v${at % 20}}} is a"}, {to: y${at}}]}`,
        `x${at}: {type: message, edges: [{to: n${at + 1}, when: the caller agrees}, {to: y${at}}]}`,
        `y${at}: {type: message, edges: [{to: n${at + 1}}]}`,
      ]),
      `n${count}: {type: end}`,
    ],
  );

function assertLinear(flowWith: (count: number) => string, counts: readonly number[]): void {
  const sizes = counts.map((count) => counted(flowWith(count)));
  for (const { tests, unreachable } of sizes) {
    assert.deepEqual(unreachable, []);
    assert.ok(tests.length > 0);
  }
  const growth = sizes.slice(1).map(({ steps }, at) => steps / (sizes[at]?.steps as number));
  assert.ok(
    growth.every((each) => each <= 2.3),
    `${growth} of ${sizes.map(({ steps, tests }) => `${steps} (${tests.length})`)}`,
  );
}

test("a chain with branches: twice the nodes take little more than twice the work", () => {
  assertLinear(branches, [50, 100, 200, 400]);
});

const chain = (count: number, nodesAt: (at: number) => string[]) =>
  flowOf(
    numbers(count).map((at) => `v${at}`),
    "a, b",
    [...numbers(count).flatMap(nodesAt), `n${count}: {type: end}`],
  );

test("a new variable for each branch: twice the nodes take little more than twice the work", () => {
  const collects = (at: number) => [
    `n${at}: {type: collect, variable: v${at}, edges: [{to: x${at}, when: "{{v${at}}} is a"}, {to: y${at}}]}`,
    `x${at}: {type: message, edges: [{to: n${at + 1}, when: the caller agrees}, {to: y${at}}]}`,
    `y${at}: {type: message, edges: [{to: n${at + 1}}]}`,
  ];
  const calls = (at: number) => [
    `n${at}: {type: tool, saves: {v${at}: $.v}, edges: [{to: x${at}, when: "{{v${at}}} is a"}, {to: x${at}, on: error}, {to: n${at + 1}}]}`,
    `x${at}: {type: message, edges: [{to: n${at + 1}}]}`,
  ];
  assertLinear((count) => chain(count, collects), [100, 200, 400]);
  assertLinear((count) => chain(count, calls), [150, 300, 600]);
});

test("a tool's variable matters before the tool only where an event leaves it unchanged", () => {
  const asking = (edge: string) =>
    flowOf(["v0"], "a, b", [
      "n0: {type: collect, variable: v0, edges: [{to: n1}]}",
      `n1: {type: tool, saves: {v0: $.v}, edges: [{to: n2, ${edge}}, {to: n3}]}`,
      `n2: {type: decision, edges: [{to: n3, when: "{{v0}} is a"}, {to: n4}]}`,
      "n3: {type: end}",
      "n4: {type: end}",
    ]);
  const asked = counted(asking("on: error"));
  assert.deepEqual(asked.unreachable, []);
  const given = asked.tests.flatMap(({ answers }) =>
    answers.flatMap(({ answer }) => ("give" in answer ? answer.give : [])),
  );
  assert.deepEqual(new Set(given), new Set(["a", "b"]));
  const condition = counted(asking('on: error, when: "{{v0}} is a"'));
  assert.deepEqual(
    condition.unreachable.map(({ id }) => id),
    ["n2--n4"],
  );
});

const six = ["a", "b", "c", "d", "e"];
const decision = (variable: string, to: string) =>
  `edges: [${six.map((value) => `{to: ${to}, when: "{{${variable}}} is ${value}"}`).join(", ")}, {to: ${to}}]`;

/** The budgets of all searches and of all runs, and what is spent beyond them before it's noticed. */
const LIMIT = 6_100_000;

test("60 variables with six values: one budget for all searches, and every edge has a test", () => {
  const names = numbers(60).map((at) => `v${at}`);
  const asked = flowOf(names, "a, b, c, d, e, f", [
    ...names.map((name, at) => `n${at}: {type: collect, variable: ${name}, edges: [{to: n${at + 1}}]}`),
    ...names.map((name, at) => `n${60 + at}: {type: decision, ${decision(name, `n${61 + at}`)}}`),
    "n120: {type: end}",
  ]);
  const given = flowOf(names, "a, b, c, d, e, f", [
    ...names.map((name, at) => `n${at}: {type: decision, ${decision(name, `n${at + 1}`)}}`),
    "n60: {type: end}",
  ]);
  for (const text of [asked, given]) {
    const { unreachable, steps, tests } = counted(text);
    assert.ok(steps <= LIMIT, `${steps} steps`);
    assert.deepEqual(unreachable, []);
    assert.ok(tests.length >= 6);
  }
});

test("what is beyond the budget is reported as such", () => {
  const names = numbers(400).map((at) => `v${at}`);
  const { unreachable, steps } = counted(
    flowOf(names, numbers(80).join(", "), [
      ...names.map((name, at) => `n${at}: {type: collect, variable: ${name}, edges: [{to: n${at + 1}}]}`),
      `n400: {type: decision, edges: [${names.map((name) => `{to: n401, when: "{{${name}}} is 7 and {{v0}} is 9"}`).join(", ")}, {to: n401}]}`,
      "n401: {type: end}",
    ]),
  );
  assert.ok(steps <= LIMIT, `${steps} steps`);
  assert.ok(unreachable.length > 0);
  assert.deepEqual([...new Set(unreachable.map(({ reason }) => reason))], ["not checked: too large"]);
});

test("decisions over given variables: twice the nodes take little more than twice the work", () => {
  const when = (at: number) =>
    at % 2 === 0 ? `{{age}} > ${at % 5}` : `{{plan}} is ${["basic", "plus", "max"][at % 3] as string}`;
  const decisions = (count: number) =>
    `entry: n0
context_variables:
  plan: {type: string, enum_values: [basic, plus, max]}
  age: {type: number}
nodes:
${numbers(count)
  .map(
    (at) =>
      `  n${at}: {type: decision, edges: [{to: n${Math.min(count, at + 2)}, when: "${when(at)}"}, {to: n${at + 1}}]}`,
  )
  .join("\n")}
  n${count}: {type: end}
`;
  assertLinear(decisions, [150, 300, 600, 1_200]);
});

test("a tree: twice the nodes take little more than twice the work", () => {
  const tree = (count: number) =>
    flowOf(
      ["v"],
      "a, b",
      numbers(count).map((at) =>
        2 * at + 2 < count
          ? `n${at}: {type: message, edges: [{to: n${2 * at + 1}, when: the caller agrees}, {to: n${2 * at + 2}}]}`
          : `n${at}: {type: end}`,
      ),
    );
  assertLinear(tree, [151, 301, 601, 1_201]);
});
