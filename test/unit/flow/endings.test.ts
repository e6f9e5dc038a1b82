/** How a conversation ends, which edges can be taken, and what decides it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { behaviorBetween, endingsBetween } from "../../../flow/review";
import { programOf } from "../../../flow/run";

const document = (nodes: string, variables = "{plan: {type: string, enum_values: [basic, plus, max]}}") =>
  FlowDocument.read(`entry: a\ncontext_variables: ${variables}\nnodes:\n${nodes}`);

function between(before: FlowDocument, after: FlowDocument) {
  assert.deepEqual([before.problems, after.problems], [[], []]);
  return endingsBetween(programOf(before), programOf(after));
}

test("a transfer that became an end", () => {
  const of = (type: string) => document(`  a: {type: message, edges: [{to: person}]}\n  person: {type: ${type}}\n`);
  const { opened, closed, endings } = between(of("transfer"), of("end"));
  assert.deepEqual([opened, closed], [[], []]);
  assert.deepEqual(endings, [{ node: "person", before: "transfer", after: "end" }]);
  assert.deepEqual(between(of("end"), of("end")).endings, []);
});

test("a condition left to the model by a renamed value", () => {
  const nodes =
    "  a: {type: message, edges: [{to: b, when: '{{plan}} is max'}, {to: b, when: '{{plan}} is plus'}, {to: b}]}\n  b: {type: end}\n";
  const renamed = "{plan: {type: string, enum_values: [basic, plus, most]}}";
  assert.deepEqual(between(document(nodes), document(nodes, renamed)).left_to_model, ["a--b"]);
  assert.deepEqual(between(document(nodes, renamed), document(nodes)).left_to_model, []);
  const written = document(nodes.replace("is max", "is the largest"));
  assert.deepEqual(between(document(nodes), written).left_to_model, ["a--b"]);
});

test("a loop edge that can no longer be taken, although its node is still reachable", () => {
  const of = (first: string) =>
    document(
      `  a: {type: message, edges: [{to: b, when: '${first}'}, {to: end}]}\n  b: {type: message, edges: [{to: a, when: '{{plan}} is max'}, {to: c}]}\n  c: {type: message, edges: [{to: end}]}\n  end: {type: end}\n`,
    );
  const { not_taken, opened, closed } = between(of("{{plan}} is known"), of("{{plan}} is basic"));
  assert.deepEqual(not_taken, ["b--a"]);
  assert.deepEqual([opened, closed], [[], []]);
});

test("parallel edges: closed edges are named by their content and tracked through moves", () => {
  const of = (...edges: string[]) =>
    document(
      `  a: {type: tool, edges: [${edges.map((edge) => `{${edge}}`).join(", ")}]}\n  person: {type: transfer}\n`,
    );
  const [error, asked, rest] = ["to: person, on: error", "to: person, when: asked", "to: person"] as const;
  assert.deepEqual(between(of(error, asked, rest), of(asked, rest)).closed, [
    { node: "person", edge: "a--person", path: ["a", "person"], by: "on error" },
  ]);
  const none = between(of(error, asked, rest), of(asked, error, rest));
  assert.deepEqual([none.opened, none.closed, none.not_taken], [[], [], []]);
  assert.deepEqual(
    between(of(rest), of(error, asked, rest))
      .opened.map(({ by }) => by)
      .sort(),
    ["asked", "on error"],
  );
});

test("a removed guard: the reads it protected", () => {
  const of = (guard: string) =>
    document(
      `  a: {type: collect, variable: plan, edges: [{to: b${guard}}, {to: end}]}\n  b: {type: message, instructions: '{{plan}}', edges: [{to: end}]}\n  end: {type: end}\n`,
    );
  assert.deepEqual(behaviorBetween(of(", when: '{{plan}} is known'"), of(", when: it is so")).may_be_unset, [
    "b: plan",
  ]);
});

test("a removed guard is described unless no run reaches the edge", () => {
  const of = (when: string, first = "") =>
    document(
      `  a: {type: message, edges: [${first}{to: b${when}}, {to: b, label: else}]}\n  b: {type: end}\n  far: {type: message, edges: [{to: b${when}}]}\n`,
    );
  const known = ", when: '{{plan}} is known'";
  const { unconditional, edge_changes } = between(of(known), of(""));
  assert.deepEqual(unconditional, ["a--b"]);
  assert.deepEqual(
    edge_changes.filter(({ kind }) => kind === "unconditional"),
    [{ kind: "unconditional", edge: "a--b", from: "a", to: "b", by: "default", was: "{{plan}} is known" }],
  );
  assert.deepEqual(between(of(""), of(known)).unconditional, []);
  assert.deepEqual(between(of(known), of(", when: '{{plan}} is max'")).unconditional, []);
});
