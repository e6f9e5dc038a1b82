/** Examples of policies: paths on which one holds, and paths that break it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { exampleFailure, Judge, readPolicyFile } from "../../../flow/policy";
import { programOf } from "../../../flow/run";
import { pick, type Random, seeded } from "../run/random-flows";

function failures(rest: string): (string | undefined)[] {
  const { policies, problems } = readPolicyFile(`policies:\n  - {id: p, ${rest}}\n`);
  assert.deepEqual(problems, []);
  return policies.flatMap((policy) => policy.examples.map((example) => exampleFailure(policy, example)));
}

test("nodes of a path are IDs or selectors", () => {
  const policies = [
    "every_path_to: {tool: T}, passes: {node: verify, by: yes}, holds: [[a, {node: verify, by: yes}, {tool: t}]], breaks: [[a, verify, {tool: t}], [{tool: T}]]",
    'every_path_to: {name: "*record*"}, passes: {sets: consent}, holds: [[{sets: consent}, {name: Record the Call}]], breaks: [[{name: record}]]',
    "never: {from: {node: f}, to: {type: transfer}, without: {node: n}}, holds: [[f, n, {type: transfer}], [{type: transfer}]], breaks: [[f, {type: transfer}], [f, n, f, {type: transfer}]]",
    "after: {node: d}, always: {sets: ticket}, holds: [[d, {sets: ticket}], [x]], breaks: [[d, {reads: ticket}]]",
    "at_most: 1, from: entry, to: {type: transfer}, holds: [[a, {type: transfer}]], breaks: [[a, b, {type: transfer}], [a]]",
    "every_path_to: {type: tool}, passes: {node: v}, breaks: [[{tool: t}]]",
  ];
  for (const policy of policies) assert.deepEqual(failures(policy).filter(Boolean), [], policy);
});

test("a failing example reports the actual result", () => {
  assert.deepEqual(failures("every_path_to: {node: b}, passes: {node: a}, holds: [[c, b]], breaks: [[a, b], [c]]"), [
    'Policy "p" doesn\'t hold on this path: step 2 breaks it. Every path to "b" must pass "a".',
    'This path doesn\'t break policy "p".',
    'This path doesn\'t break policy "p". None of its nodes is what `every_path_to` asks for.',
  ]);
});

test("an invalid path is a problem at its position", () => {
  const wrong = [
    "holds: a",
    "holds: []",
    "holds: [a]",
    "holds: [[]]",
    "holds: [['']]",
    "holds: [[a, [b]]]",
    "breaks: [[{color: red}]]",
    "breaks: [[a, ..., b]]",
    "breaks: [[~]]",
    "breaks: ~",
    "holds: [[{by: x}]]",
    "holds: [[{node: a, by: [x]}]]",
  ];
  for (const examples of wrong) {
    const { policies, problems } = readPolicyFile(`policies: [{id: p, after: entry, always: {node: z}, ${examples}}]`);
    assert.equal(problems.length, 1, examples);
    assert.deepEqual(policies[0]?.examples, [], examples);
  }
});

test("a problem of a path names what is wrong", () => {
  const first = (examples: string) =>
    readPolicyFile(`policies: [{id: p, after: entry, always: {node: z}, ${examples}}]`).problems[0]?.message ?? "";
  assert.match(first("holds: [[a, {typ: end}]]"), /^A node of an example has no key "typ"\. Did you mean "type"\?/);
  assert.match(first("holds: [[a, {by: x}]]"), /^A node of an example selects no nodes/);
  assert.match(first("holds: [[a, ..., b]]"), /^An example lists every node of its path\. Replace `\.\.\.`/);
});

/** A policy of any kind over some IDs and types. */
function randomPolicy(random: Random): string {
  const nodes = () =>
    pick(random, ["entry", "{node: n1}", "{node: n2}", "{node: n3}", "{type: end}", "{type: decision}"]);
  return pick(random, [
    () => `every_path_to: ${nodes()}, passes: ${nodes()}`,
    () => `never: {from: ${nodes()}, to: ${nodes()}}`,
    () => `never: {from: ${nodes()}, to: ${nodes()}, without: ${nodes()}}`,
    () => `after: ${nodes()}, always: ${nodes()}`,
    () => `at_most: ${Math.floor(random() * 4)}, from: ${nodes()}, to: ${nodes()}`,
  ])();
}

test("an example has the verdict of a flow that consists of its path", () => {
  const random = seeded(34);
  let broken = 0;
  for (let round = 0; round < 3000; round++) {
    const length = 1 + Math.floor(random() * 6);
    const types = Array.from({ length }, (_, at) =>
      at === length - 1 ? "end" : pick(random, ["message", "decision"]),
    );
    const nodes = types.map(
      (type, at) => `  n${at}: {type: ${type}, edges: [${at < length - 1 ? `{to: n${at + 1}}` : ""}]}\n`,
    );
    const steps = types.map((type, at) => `{node: n${at}, type: ${type}}`).join(", ");
    const text = `policies: [{id: p, ${randomPolicy(random)}, breaks: [[${steps}]]}]`;
    const [policy] = readPolicyFile(text).policies;
    const [example] = policy?.examples ?? [];
    assert.ok(policy && example, text);
    const judge = new Judge(programOf(FlowDocument.read(`entry: n0\nnodes:\n${nodes.join("")}`)));
    const isBroken = judge.judge(policy.demand).verdict === "broken";
    if (isBroken) broken++;
    assert.equal(exampleFailure(policy, example) === undefined, isBroken, `${text}\n${nodes.join("")}`);
  }
  assert.ok(broken > 500 && broken < 2500, String(broken));
});
