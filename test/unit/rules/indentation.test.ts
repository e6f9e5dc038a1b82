/** One line with wrong indentation has one finding, on that line, with a fix that restores it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { applyEdits, checkDocument, FlowDocument, fixesFor, graphOf, sameGraph } from "../../../flow";

const base = readFileSync(join(__dirname, "../../mistakes/base.flow.yaml"), "utf8");
const lines = base.split("\n");
/** Tests every fourth line; `ALL=1` tests all of them. */
const EVERY = process.env.ALL ? 1 : 4;

it("a wrongly indented line is found, reported once, and fixed", () => {
  const tried = { all: 0, once: 0, onItsLine: 0, putBack: 0 };
  const graph = graphOf(FlowDocument.read(base));
  lines.forEach((line, number) => {
    const depth = line.search(/\S/);
    if (number % EVERY > 0 || depth < 0 || line.trimStart().startsWith("#")) return;
    for (const by of [-2, -1, 1, 2]) {
      if (depth + by < 0) continue;
      const text = lines.with(number, " ".repeat(depth + by) + line.trimStart()).join("\n");
      const document = FlowDocument.read(text);
      // Information about variables that may be unset doesn't depend on the indentation.
      const problems = checkDocument(document).filter(
        ({ code, severity }) => code !== "may-be-unset" || severity !== "info",
      );
      // If the flow is unchanged, or only spaces in a text moved, nothing is wrong.
      if (problems.length === 0 && (sameGraph(graphOf(document), graph) || document.nodes.length === graph.nodes.size))
        continue;
      tried.all++;
      const here = problems.find(({ span }) => document.positionAt(span.start).line === number);
      if (problems.length === 1) tried.once++;
      if (here) tried.onItsLine++;
      if (here && fixesFor(here, document).some((fix) => applyEdits(text, fix.edits) === base)) tried.putBack++;
    }
  });
  const share = (count: number) => count / tried.all;
  assert.ok(tried.all > 200 / EVERY, JSON.stringify(tried));
  assert.ok(share(tried.once) > 0.95, JSON.stringify(tried));
  assert.ok(share(tried.onItsLine) > 0.93, JSON.stringify(tried));
  assert.ok(share(tried.putBack) > 0.9, JSON.stringify(tried));
});

it("nodes and variables without indentation get it from one fix, and nothing else changes", () => {
  const unindented = (section: string) =>
    base.replace(new RegExp(`(?<=^${section}:\n)(?:(?: .*)?\n)+`, "m"), (body) => body.replace(/^ {2}/gm, ""));
  for (const section of ["nodes", "context_variables"]) {
    const text = unindented(section);
    assert.notEqual(text, base);
    const document = FlowDocument.read(text);
    const fixed = checkDocument(document).flatMap((problem) =>
      fixesFor(problem, document).flatMap(({ title, edits }) =>
        title.startsWith("Indent below") ? [applyEdits(text, edits)] : [],
      ),
    );
    assert.deepEqual(fixed, [base]);
  }
});
