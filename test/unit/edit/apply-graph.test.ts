import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, applyGraph, FlowDocument, graphOf, sameGraph, type TextEdit } from "../../../flow";
import { blend, graphs, styles, writeGraph } from "./generate";

const runs = Number(process.env.RUNS ?? 800);

function ordered(edits: readonly TextEdit[]): boolean {
  return edits.every((edit, i) => edit.start <= edit.end && (i === 0 || (edits[i - 1] as TextEdit).end <= edit.start));
}

test("the edited file means the target graph, whatever its style", () => {
  fc.assert(
    fc.property(graphs, graphs, styles, fc.infiniteStream(fc.nat(1000)), fc.boolean(), (a, b, style, dice, wild) => {
      const text = writeGraph(a, style);
      const document = FlowDocument.read(text);
      fc.pre(document.problems.length === 0);
      const target = wild ? b : blend(a, b, (n) => (dice.next().value as number) % n);
      const edits = applyGraph(document, target);
      assert.ok(ordered(edits), "edits overlap");
      const result = FlowDocument.read(applyEdits(text, edits));
      assert.deepEqual(result.problems, []);
      assert.ok(sameGraph(graphOf(result), target), `not the target:\n${text}\n=====\n${result.text}`);
    }),
    { numRuns: runs },
  );
});

test("a file that means the target already is left alone", () => {
  fc.assert(
    fc.property(graphs, styles, (graph, style) => {
      const document = FlowDocument.read(writeGraph(graph, style));
      assert.deepEqual(applyGraph(document, graphOf(document)), []);
    }),
    { numRuns: runs / 5 },
  );
});
