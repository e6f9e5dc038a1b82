/**
 * Properties of the document under random edits: the edited document equals one parsed from scratch, and locations stay
 * inside the document. `FLOW_SEED=<n>` runs the seed that a failure names.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { applyEdits, type Block, FlowDocument, type Position, type TextEdit } from "../../../flow";
import { IncrementalMap } from "../../../flow/incremental-map";
import { cases } from "../../support/cases";
import { Dice, hostileSnippets, seedTexts } from "./hostile";

const EDITS = cases(24_000, undefined, 1_200);
const EDITS_PER_SEED = 40;
const only = process.env.FLOW_SEED;
const seeds = only ? [Number(only)] : Array.from({ length: EDITS / EDITS_PER_SEED }, (_, seed) => seed);
const texts = [readFileSync("examples/billing.flow.yaml", "utf8"), ...seedTexts];

/** The complete state of a document. */
function describe(document: FlowDocument): string {
  const entry = (each: Block) => [document.startOf(each), document.extentOf(each), each];
  return JSON.stringify(
    {
      text: document.text,
      lines: document.lineCount,
      header: document.header,
      tops: document.tops.map(entry),
      nodes: document.nodes.map(entry),
      variables: document.variables.map(entry),
      problems: document.problems,
    },
    (_, value) =>
      value instanceof Map ? [...value] : typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
  );
}

/** The start of each block. */
function placesOf(document: FlowDocument): Map<Block, string> {
  const place = ({ line, character }: Position) => `${line}:${character}`;
  return new Map(document.blocks.map((block) => [block, place(document.positionAt(document.startOf(block)))]));
}

/** Some of what the shape depends on. */
function shapeOf(document: FlowDocument): string {
  return JSON.stringify(
    document.nodes.map((node) => [
      node.id,
      node.type,
      node.refs.map((ref) => ref.name),
      node.edges.map((edge) => [edge.id, edge.to]),
    ]),
  );
}

function randomEdit(dice: Dice, length: number): TextEdit {
  const start = dice.below(length + 1);
  const kind = dice.below(10);
  const size = kind < 4 ? 0 : kind < 8 ? dice.below(4) : dice.below(60);
  const text = dice.below(4) === 0 ? "" : dice.pick(hostileSnippets);
  return { start, end: Math.min(length, start + size), text: size === 0 && text === "" ? "\n" : text };
}

test(`after each of ${EDITS} hostile edits the document equals one read from scratch`, () => {
  for (const seed of seeds) {
    const dice = new Dice(seed);
    let text = texts[seed % texts.length] as string;
    if (dice.below(5) === 0) text = text.replaceAll("\n", "\r\n");
    if (dice.below(9) === 0) text = `\ufeff${text}`;
    const document = FlowDocument.read(text);
    const kept = {
      blocks: new IncrementalMap((block: Block) => block),
      nodes: new IncrementalMap((block: Block) => block),
    };
    const history: TextEdit[][] = [];
    try {
      for (let count = 0; count < EDITS_PER_SEED; count++) {
        const edits = [randomEdit(dice, text.length)];
        if (dice.below(8) === 0) {
          const second = randomEdit(dice, text.length);
          if (second.start > (edits[0] as TextEdit).end) edits.push(second);
        }
        if (text.length > 6000) edits.splice(0, edits.length, { start: 2000, end: 5000, text: "" });
        history.push(edits);
        const before = document.shape;
        const shapes = shapeOf(document);
        const { layout } = document;
        const places = placesOf(document);
        document.edit(edits);
        text = applyEdits(text, edits);
        assert.equal(describe(document), describe(FlowDocument.read(text)));
        const after = shapeOf(document);
        if (document.shape === before) assert.equal(after, shapes, "the shape changed in silence");
        if (document.layout === layout)
          for (const [block, place] of placesOf(document))
            assert.equal(places.get(block) ?? place, place, "an entry moved in silence");
        // Not after every edit: caches may be from some edits ago.
        if (dice.below(3) > 0)
          for (const list of ["blocks", "nodes"] as const)
            assert.deepEqual(kept[list].update(document[list]).results, document[list]);
        for (const problem of document.problems)
          assert.ok(
            0 <= problem.span.start && problem.span.start <= problem.span.end && problem.span.end <= text.length,
          );
        for (let tries = 0; tries < 4; tries++) {
          const offset = dice.below(text.length + 1);
          const back = document.offsetAt(document.positionAt(offset));
          assert.ok(back === offset || text.slice(back, offset) === "\r", `offset ${offset} came back as ${back}`);
          const block = document.blockAt(offset);
          if (block)
            assert.ok(offset <= document.startOf(block) + block.text.length, `${block.key} ends before ${offset}`);
        }
      }
    } catch (error) {
      const last = history.at(-1);
      throw new Error(
        `FLOW_SEED=${seed} fails after ${history.length} edits, the last one ${JSON.stringify(last)} giving ${JSON.stringify(text)}`,
        { cause: error },
      );
    }
  }
});

test("a document derived from another equals a fresh parse and leaves the other unchanged", () => {
  let shared = 0;
  for (const seed of seeds.slice(0, cases(200))) {
    const dice = new Dice(seed);
    let text = texts[seed % texts.length] as string;
    let document = FlowDocument.read(text);
    for (let count = 0; count < 12; count++) {
      const edits = [randomEdit(dice, text.length)];
      const where = `FLOW_SEED=${seed}: ${JSON.stringify(edits)} in ${JSON.stringify(text)}`;
      const before = describe(document);
      text = applyEdits(text, edits);
      const next = FlowDocument.read(text, document);
      assert.equal(describe(next), describe(FlowDocument.read(text)), where);
      assert.deepEqual(next.explainedProblems, FlowDocument.read(text).explainedProblems, where);
      assert.equal(describe(document), before, where);
      shared += next.nodes.filter((node) => document.has(node)).length;
      document = next;
    }
  }
  assert.ok(shared > 5 * cases(200) || only, `${shared} nodes are the same objects`);
});

test("a trial shows the result of edits and leaves the document unchanged, down to its objects", () => {
  for (const seed of seeds.slice(0, cases(200))) {
    const dice = new Dice(seed);
    let text = texts[seed % texts.length] as string;
    const document = FlowDocument.read(text);
    for (let count = 0; count < 12; count++) {
      const edits = [randomEdit(dice, text.length)];
      const where = `FLOW_SEED=${seed}: ${JSON.stringify(edits)} in ${JSON.stringify(text)}`;
      const before = describe(document);
      const blocks: readonly Block[] = [...document.tops, ...document.nodes, ...document.variables];
      const shape = document.shape;
      const seen = document.trial(edits, () => ({ said: describe(document), shape: document.shape }));
      assert.equal(seen.said, describe(FlowDocument.read(applyEdits(text, edits))), where);
      assert.equal(describe(document), before, where);
      assert.equal(document.shape, shape, where);
      // Aliases are resolved again, which creates new objects.
      if (!/[&*]/.test(text + edits[0]?.text))
        for (const [index, block] of [...document.tops, ...document.nodes, ...document.variables].entries())
          assert.equal(block, blocks[index], where);
      document.edit(edits);
      assert.ok(document.shape === shape || document.shape > Math.max(shape, seen.shape), where);
      text = applyEdits(text, edits);
    }
  }
});

test("a trial that fails leaves the document unchanged", () => {
  const document = FlowDocument.read("entry: a\nnodes:\n  a: {type: end}\n");
  const before = describe(document);
  const fail = () => {
    throw new Error("no");
  };
  assert.throws(() => document.trial([{ start: 0, end: 9, text: "" }], fail), /^Error: no$/);
  assert.equal(describe(document), before);
});
