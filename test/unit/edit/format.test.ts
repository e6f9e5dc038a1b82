import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, FlowDocument, formatDocument, formatOnType, formatRange, graphOf, sameGraph } from "../../../flow";
import { parseMarkers } from "../../markers/parse";
import { cases } from "../../support/cases";
import { graphs, styles, writeGraph } from "./generate";

const runs = cases(200, "RUNS");

function format(text: string): string {
  return applyEdits(text, formatDocument(FlowDocument.read(text)));
}

/** Own-line and trailing comments of generated text, recognized by their unique marks. */
function marks(text: string): string[] {
  return text.match(/# c\d+/g) ?? [];
}

test("formatting keeps the graph and the comments, and is idempotent", () => {
  fc.assert(
    fc.property(graphs, styles, (graph, style) => {
      const text = writeGraph(graph, style);
      const before = FlowDocument.read(text);
      const once = format(text);
      const after = FlowDocument.read(once);
      assert.ok(sameGraph(graphOf(after), graphOf(before)), `another graph:\n${text}\n=====\n${once}`);
      assert.deepEqual(graphOf(after), graphOf(before));
      assert.deepEqual(marks(once), marks(text));
      assert.equal(format(once), once);
    }),
    { numRuns: runs },
  );
});

test("formatting never throws and keeps the graph on damaged files", () => {
  const billing = readFileSync("examples/billing.flow.yaml", "utf8");
  fc.assert(
    fc.property(
      fc.nat(billing.length),
      fc.nat(40),
      fc.constantFrom("", " ", "  ", "\n", "\t", "#", ": ", "- ", "\n\n\n", "{", "|", "'", "\n  ", "\r\n"),
      (at, length, put) => {
        const text = billing.slice(0, at) + put + billing.slice(at + length);
        const once = format(text);
        assert.deepEqual(graphOf(FlowDocument.read(once)), graphOf(FlowDocument.read(text)), `${text}\n=====\n${once}`);
        assert.equal(format(once), once, `not settled:\n${text}\n=====\n${once}`);
      },
    ),
    { numRuns: runs * 2 },
  );
});

test("formatting the marker corpus and the examples keeps their graphs", () => {
  const files = ["examples", "test/markers/rules", "test/language/markers"].flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")),
  );
  const texts = files.flatMap((file) => parseMarkers(file).cases.map((each) => each.text));
  assert.ok(texts.length > 200);
  for (const text of texts) {
    const before = FlowDocument.read(text);
    const once = format(text);
    assert.deepEqual(graphOf(FlowDocument.read(once)), graphOf(before), `another graph:\n${text}\n=====\n${once}`);
    assert.equal(format(once), once, `not settled:\n${text}\n=====\n${once}`);
    // Twice the indentation, which keeps the meaning of every block except for explicit indentation indicators.
    if (before.problems.length > 0 || /[|>][-+]?\d/.test(text)) continue;
    const wide = text.replace(/^ +/gm, (spaces) => spaces + spaces);
    assert.deepEqual(graphOf(FlowDocument.read(format(wide))), graphOf(FlowDocument.read(wide)), wide);
  }
});

test("formatting a range keeps the graph", () => {
  fc.assert(
    fc.property(graphs, styles, fc.nat(2000), fc.nat(200), (graph, style, at, length) => {
      const text = writeGraph(graph, style);
      const document = FlowDocument.read(text);
      const start = Math.min(at, text.length);
      const edits = formatRange(document, { start, end: Math.min(text.length, start + length) });
      const after = applyEdits(text, edits);
      assert.deepEqual(graphOf(FlowDocument.read(after)), graphOf(document), `${text}\n=====\n${after}`);
      assert.deepEqual(marks(after), marks(text));
    }),
    { numRuns: runs },
  );
});

test("the example is already formatted", () => {
  const text = readFileSync("examples/billing.flow.yaml", "utf8");
  assert.equal(format(text), text);
});

test("a dash typed inside an item starts the next item", () => {
  const typed = (lines: readonly string[]) => {
    const text = ["nodes:", "  a:", "    type: message", ...lines, "  b:", "    type: end", ""].join("\n");
    const at = text.indexOf("-\n") + 1;
    return applyEdits(text, formatOnType(FlowDocument.read(text), at, "-"))
      .split("\n")
      .slice(3, 3 + lines.length);
  };
  const moved = (...lines: string[]) => typed(lines).at(-1);
  assert.equal(moved("    edges:", "      - to: b", "        -"), "      -");
  assert.equal(
    moved("    edges:", "      - to: b", "        when: |", "          - if asked", "", "        -"),
    "      -",
  );
  assert.equal(moved("    edges:", "      - to: b", "        when: x", "        -"), "      -");
  // Where a dash is valid, or text, it stays.
  assert.equal(moved("    edges:", "      -"), "      -");
  assert.equal(moved("    edges:", "    - to: b", "    -"), "    -");
  assert.equal(moved("    edges:", "      - to: b", "        more:", "        -"), "        -");
  assert.equal(moved("    instructions: |", "      - first", "        -"), "        -");
  assert.equal(moved("    instructions: one", "    -"), "    -");
});
