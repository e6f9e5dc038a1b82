import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, FlowDocument, graphOf, sameGraph, type TextEdit } from "../../../flow";
import { applyGraph, exceptBroken } from "../../../flow/edit";
import { cases } from "../../support/cases";
import { blend, graphs, styles, writeGraph } from "./generate";

const runs = cases(500, "RUNS");

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

test("a file that already has the target graph is unchanged", () => {
  fc.assert(
    fc.property(graphs, styles, (graph, style) => {
      const document = FlowDocument.read(writeGraph(graph, style));
      assert.deepEqual(applyGraph(document, graphOf(document)), []);
    }),
    { numRuns: runs / 5 },
  );
});

const odd = [
  "nodes:\n  a: &base\n    type: message\n    inputs: {account: 1}\n    edges: &e\n      - to: b\n  b:\n    <<: *base\n    edges: *e\n",
  "nodes:\n  a:\n    <<: {type: message, name: x}\n    inputs: &i\n      k: 1\n  b: {type: tool, inputs: *i}\n",
  "nodes:\n  a:\n    type: end\n  a:\n    type: message\n  b:\n",
  "nodes: {}\n",
  "nodes:\nentry: a\n",
  "",
  "# only a comment\n",
  "---\n# head\nentry: a # why\n...\n",
  "{entry: a, nodes: {a: {type: end}}}\n",
  "nodes:\n  a:\n    instructions: |+\n      text\n\n\n  b:\n    type: end\n",
  "nodes:\n  a: !!map\n    type: !!str end\n    edges:\n    - &x {to: a}\n    - *x\n",
  "nodes:\n  ? a\n  : type: end\n  b:\n    edges: []\n    inputs:\n    -\n      - 1\n    -\n",
  "entry: a\nnodes:\n  a:\n    edges:\n      - to: a\n        when: one # 1\n      # lone\n      -\n        when: unfinished\n      - text\n",
];

test("files with anchors, duplicate keys, tags and other special cases reach the target as well", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...odd),
      graphs,
      fc.infiniteStream(fc.nat(1000)),
      fc.boolean(),
      (text, b, dice, wild) => {
        const document = FlowDocument.read(text);
        fc.pre(document.problems.every((problem) => problem.code === "duplicate-key"));
        const target = wild ? b : blend(graphOf(document), b, (n) => (dice.next().value as number) % n);
        const edits = applyGraph(document, target);
        assert.ok(ordered(edits), "edits overlap");
        const result = FlowDocument.read(applyEdits(text, edits));
        assert.ok(sameGraph(graphOf(result), target), `not the target:\n${text}\n=====\n${result.text}`);
      },
    ),
    { numRuns: runs },
  );
});

test("comments outside of what changes are kept", () => {
  fc.assert(
    fc.property(graphs, graphs, styles, fc.nat(100), (a, b, style, pick) => {
      const text = writeGraph(a, { ...style, comments: true, flow: "none" });
      const document = FlowDocument.read(text);
      const ids = [...a.nodes.keys()];
      const chosen = ids[pick % Math.max(1, ids.length)];
      fc.pre(chosen !== undefined && document.problems.length === 0);
      const nodes = new Map(a.nodes);
      const other = [...b.nodes.values()][0];
      nodes.set(chosen, { ...(other ?? { type: "end" }), id: chosen });
      const result = applyEdits(text, applyGraph(document, { ...a, nodes }));
      // Comments inside the changed node may be removed with their subject; all others stay, in order.
      const entry = document.node(chosen);
      assert.ok(entry);
      const start = document.startOf(entry);
      const end = start + (entry.value?.span.end ?? 0);
      const outside = marks(text.slice(0, start)).concat(marks(text.slice(end)));
      const kept = marks(result).filter((mark) => outside.includes(mark));
      assert.deepEqual(kept, outside, `${text}\n=====\n${result}`);
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
});

test("comments above edges stay if all edges of a node are replaced", () => {
  const after = (from: string, to: string) => {
    const target = graphOf(FlowDocument.read(from.replace(/edges:.*(?= {2}b:)/s, to)));
    const text = applyEdits(from, applyGraph(FlowDocument.read(from), target));
    assert.ok(sameGraph(graphOf(FlowDocument.read(text)), target), text);
    return text;
  };
  const one =
    "nodes:\n  a:\n    type: message\n    edges:\n      # why\n      - to: b # this one\n  b:\n    type: end\n";
  const other = "edges: [{to: a, when: again}]\n";
  assert.equal(after(one, other), one.replace("to: b # this one", "to: a\n        when: again"));
  const two = one.replace("  b:", "      # or\n      - to: a\n        label: x\n  b:");
  assert.equal(
    after(two, "edges: [{to: c, when: again}, {to: c, on: error}, {to: c, on: success}]\n"),
    one
      .replace(
        "b # this one",
        "c\n        when: again\n      - to: c\n        on: error\n      - to: c\n        on: success",
      )
      .replace("  b:", "      # or\n  b:"),
  );
  const flow = one.replace("- to: b # this one", "- {to: b}");
  assert.equal(after(flow, other), flow.replace("{to: b}", "{to: a, when: again}"));
});

function marks(text: string): string[] {
  return text.match(/# c\d+/g) ?? [];
}

test("a syntax error changes nothing of the earlier text, but other changes stay changes", () => {
  const text = readFileSync("examples/support-line.flow.yaml", "utf8");
  const before = graphOf(FlowDocument.read(text));
  const earlier = (now: string) => {
    const document = FlowDocument.read(now);
    assert.notDeepEqual(document.problems, [], now);
    return applyEdits(now, applyGraph(document, exceptBroken(document, before)));
  };
  for (const { index } of text.matchAll(/(?<=: .*)["}\]]|(?<=^ +\w+):/gm)) {
    const now = text.slice(0, index) + text.slice(index + 1);
    if (FlowDocument.read(now).problems.length > 0) assert.equal(earlier(now), now, `without ${index}`);
  }
  const open = text.replace('four or five"', "four or five");
  const renamed = open.replace("name: Goodbye", "name: Bye");
  assert.equal(earlier(renamed), open);
});
