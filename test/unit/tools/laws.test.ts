/** Laws of the rules about tools, on random tools and flows: nothing is reported in correct ones, and mistakes are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, checkTools, FlowDocument, fixesFor } from "../../../flow";
import { KnownTools, readSnapshot, snapshotText, type ToolDefinitions, toolsOfRevision } from "../../../flow/tools";
import { pick, seeded } from "../run/random-flows";
import { flowText, MISTAKES, mistakeIn, randomCase, revisionOf } from "./random-tools";

const FLOWS = 300;

function found(text: string, definitions: ToolDefinitions | undefined): string[] {
  const document = FlowDocument.read(text);
  assert.deepEqual(document.problems, [], text);
  const problems = checkTools(document, definitions && new KnownTools([definitions]));
  return problems.map(({ code, span }) => `${code} ${document.positionAt(span.start).line + 1}`);
}

test("300 correct flows have no findings, from a revision or from its snapshot", () => {
  for (let seed = 0; seed < FLOWS; seed++) {
    const each = randomCase(seeded(seed));
    const definitions = toolsOfRevision(revisionOf(each));
    const saved = readSnapshot(snapshotText(definitions)) as ToolDefinitions;
    const text = flowText(each);
    for (const source of [definitions, saved]) assert.deepEqual(found(text, source), [], `seed ${seed}\n${text}`);
  }
});

test("of 300 mistakes of all kinds, at least 97% are found on their line, and none if the tools aren't known", () => {
  const missed: string[] = [];
  const counts = new Map<string, number>();
  let planted = 0;
  for (let seed = 0; planted < FLOWS; seed++) {
    const random = seeded(seed);
    const code = MISTAKES[seed % MISTAKES.length] as (typeof MISTAKES)[number];
    const mistake = mistakeIn(randomCase(random), code, random);
    if (!mistake) continue;
    planted++;
    counts.set(code, (counts.get(code) ?? 0) + 1);
    const reported = found(mistake.text, toolsOfRevision(mistake.revision));
    if (!reported.includes(`${code} ${mistake.line}`))
      missed.push(`seed ${seed}: ${code} ${mistake.line}, but ${reported.join(", ") || "nothing"}\n${mistake.text}`);
    assert.deepEqual(found(mistake.text, undefined), []);
  }
  for (const code of MISTAKES) assert.ok((counts.get(code) ?? 0) > 10, `${code}: ${counts.get(code)}`);
  assert.ok(missed.length <= FLOWS * 0.03, `${missed.length} missed:\n${missed.slice(0, 3).join("\n")}`);
});

test("every fix of a mistake leaves a readable flow without it", () => {
  let fixed = 0;
  for (let seed = 0; seed < FLOWS; seed++) {
    const random = seeded(seed + 10_000);
    const mistake = mistakeIn(randomCase(random), pick(random, MISTAKES), random);
    if (!mistake) continue;
    const known = new KnownTools([toolsOfRevision(mistake.revision)]);
    const document = FlowDocument.read(mistake.text);
    const before = checkTools(document, known);
    for (const problem of before)
      for (const { title, edits, suppresses } of fixesFor(problem, document)) {
        if (suppresses) continue;
        fixed++;
        const after = FlowDocument.read(applyEdits(mistake.text, edits));
        const about = `${title}\n${after.text}`;
        assert.deepEqual(after.problems, [], about);
        assert.ok(!checkTools(after, known).some(({ message }) => message === problem.message), about);
      }
  }
  assert.ok(fixed > 50, `${fixed}`);
});
