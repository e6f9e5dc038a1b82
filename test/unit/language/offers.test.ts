/**
 * Applies every offer at every position: in good flows, in flows with every kind of finding, and in flows that are
 * being edited. None breaks a file, loses a comment or changes anything unintended. `npm test` tries a fifth of the
 * positions and of the edits of the graph; `OFFERS=<factor>` multiplies the mutations, and tests every position.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { mutated, mutationCount } from "../../language/mutations";
import { harmOf, Judged, offersOf } from "../../language/offers";
import { ONE_IN } from "../../support/cases";
import { flowsOfMarkers } from "../../support/marker-flows";

const factor = Number(process.env.OFFERS ?? 0);
const sparse = ONE_IN === 1 || factor > 0 ? 1 : 5;

interface Flow {
  readonly name: string;
  readonly text: string;
}

const corpus = ["examples", "test/corpus/valid"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.flow\.ya?ml$/.test(name))
    .map((name): Flow => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") })),
);

const counts = new Map<string, number>();

/**
 * Applies the offers of a flow. Completions are requested at every `step`th offset, starting at a different one for
 * each flow.
 */
function takeAll({ name, text }: Flow, step: number, index: number): string[] {
  const before = new Judged(text);
  const by = factor > 0 ? 1 : step * sparse;
  const places = Array.from({ length: Math.ceil((text.length + 1) / by) }, (_, at) => at * by + (index % by));
  const failures: string[] = [];
  for (const offer of offersOf(text, places, (edit) => (edit + index) % sparse === 0)) {
    counts.set(offer.kind, (counts.get(offer.kind) ?? 0) + 1);
    const harm = harmOf(before, offer);
    if (harm === undefined) continue;
    const place = `${text.slice(Math.max(0, offer.at - 80), offer.at)}▮${text.slice(offer.at, offer.at + 80)}`;
    failures.push(`${name}: ${offer.kind} "${offer.title}": ${harm}\n${place}\n${JSON.stringify(offer.edits)}`);
  }
  return failures;
}

test("of good flows", () => {
  assert.deepEqual(corpus.flatMap((flow, index) => takeAll(flow, 21, index)).slice(0, 5), []);
});

test("of flows with every kind of finding", () => {
  assert.deepEqual(
    flowsOfMarkers()
      .flatMap((flow, index) => takeAll(flow, 7, index))
      .slice(0, 5),
    [],
  );
});

test("of incomplete flows", () => {
  const rounds = Math.max(2, factor * 4);
  const failures: string[] = [];
  for (let number = 0; number < rounds * mutationCount; number++) {
    const { name, text } = corpus[(number * 7) % corpus.length] as Flow;
    failures.push(...takeAll({ name: `${name}, mutation ${number}`, text: mutated(text, number) }, 23, number));
  }
  assert.deepEqual(failures.slice(0, 5), []);
});

test("are many, and of every kind", (context) => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  context.diagnostic(`${total} offers: ${JSON.stringify(Object.fromEntries(counts))}`);
  assert.ok(total >= 20_000 / sparse, `${total} offers`);
  for (const kind of ["fix", "fix-all", "refactor", "style", "complete", "format", "rename", "graph"])
    assert.ok((counts.get(kind) ?? 0) >= 20, `${counts.get(kind)} of ${kind}`);
});
