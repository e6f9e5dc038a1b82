/** Incomplete and damaged files: rules report locations inside the text, and fixes can be applied. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import fc from "fast-check";
import { applyEdits, checkDocument, FlowDocument, fixAll, fixesFor } from "../../../flow";
import { cases } from "../../support/cases";

const folder = join(__dirname, "../../corpus/valid");
const corpus = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

function check(text: string): void {
  const document = FlowDocument.read(text);
  const inside = (span: { start: number; end: number }, what: string) =>
    assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length, `${what} in\n${text}`);
  for (const problem of checkDocument(document)) {
    inside(problem.span, problem.code);
    for (const place of problem.related ?? []) inside(place.span, `a place of ${problem.code}`);
    for (const fix of fixesFor(problem, document)) {
      for (const edit of fix.edits) inside(edit, fix.title);
      assert.equal(typeof applyEdits(text, fix.edits), "string");
    }
  }
}

it("a file cut off after any line", () => {
  for (const text of corpus.filter((_, index) => index % 6 === 0)) {
    const lines = text.split("\n");
    for (let count = 0; count < lines.length; count++) check(lines.slice(0, count).join("\n"));
  }
});

it("a file with pieces missing, moved or doubled", () => {
  const damage = fc.tuple(
    fc.constantFrom(...corpus),
    fc.nat(),
    fc.nat(40),
    fc.nat(),
    fc.constantFrom("cut", "move", "double"),
  );
  fc.assert(
    fc.property(damage, ([text, at, length, to, kind]) => {
      const start = at % text.length;
      const piece = text.slice(start, start + length);
      const rest = kind === "double" ? text : text.slice(0, start) + text.slice(start + length);
      const place = to % (rest.length + 1);
      const damaged = kind === "cut" ? rest : rest.slice(0, place) + piece + rest.slice(place);
      check(damaged);
      assert.ok(Array.isArray(fixAll(FlowDocument.read(damaged))));
    }),
    { numRuns: cases(250) },
  );
});
