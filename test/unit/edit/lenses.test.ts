/** Where lenses are shown: not on a short flow, and not close to another of the same kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Problem } from "../../../flow";
import { codeLenses } from "../../../server/features/code-lens";

const ALL = { edges: true, findings: true, plan: true, preview: true, restore: true, tests: true };
const lensesOf = (text: string, problemAt?: string) => {
  const document = FlowDocument.read(text);
  const start = problemAt === undefined ? 0 : text.indexOf(problemAt);
  const problem = { code: "dead-end", severity: "warning", message: "", span: { start, end: start + 1 } } as Problem;
  return codeLenses(document, ALL, problemAt === undefined ? [] : [problem]).map(
    ({ kind, span }) => `${kind} ${document.positionAt(span.start).line}`,
  );
};

test("a flow of a dozen lines has no lenses", () => {
  const short = "entry: a\nnodes:\n  a:\n    type: message\n    edges: [{to: b}]\n  b: {type: end}\n";
  assert.deepEqual(lensesOf(short), []);
});

test("no two lenses of a kind are within three lines", () => {
  const nodes = Array.from({ length: 20 }, (_, index) => `  n${index}: {type: message, edges: [{to: n${index + 1}}]}`);
  const lenses = lensesOf(`entry: n0\nnodes:\n${nodes.join("\n")}\n  n20: {type: end}\n`);
  assert.deepEqual(lenses.slice(0, 4), ["preview 1", "tests 1", "edges 2", "edges 6"]);
});

test("a node's counts are beside its problems, also close to another node", () => {
  const nodes = Array.from({ length: 20 }, (_, index) => `  n${index}: {type: message, edges: [{to: n${index + 1}}]}`);
  const lenses = lensesOf(`entry: n0\nnodes:\n${nodes.join("\n")}\n  n20: {type: end}\n`, "n2:");
  assert.deepEqual(lenses.slice(2, 6), ["edges 2", "edges 4", "findings 4", "edges 6"]);
});

test("a flow has one lens that creates a test, above its nodes", () => {
  const nodes = Array.from({ length: 20 }, (_, index) => `  n${index}: {type: message, edges: [{to: n${index + 1}}]}`);
  const text = `entry: n0\npersona: |\n  A.\n  B.\n  C.\n  D.\nnodes:\n${nodes.join("\n")}\n  n20: {type: end}\n`;
  assert.deepEqual(
    lensesOf(text).filter((lens) => lens.startsWith("tests")),
    ["tests 6"],
  );
});
