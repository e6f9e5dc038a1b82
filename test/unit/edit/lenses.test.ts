/** Where lenses are shown: not on a short flow, and not close to another of the same kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { codeLenses } from "../../../server/features/code-lens";

const ALL = { edges: true, findings: true, plan: true, preview: true, restore: true, tests: true };
const lensesOf = (text: string) => {
  const document = FlowDocument.read(text);
  return codeLenses(document, ALL, []).map(({ kind, span }) => `${kind} ${document.positionAt(span.start).line}`);
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
