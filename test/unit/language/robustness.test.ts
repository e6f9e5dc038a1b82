/**
 * Every feature, through the real protocol, at every offset of broken files: no error, no result outside the document,
 * none slower than 50 ms. A truncated file is tested at offsets of its last line, so the truncations of an example
 * together cover all of it; files with missing pieces are each tested at different offsets. `npm test` tries every eleventh
 * truncation at every fifth offset, and one file with missing pieces of each example.
 */
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Prober } from "../../language/prober";
import { ONE_IN } from "../../support/cases";

const isLong = ONE_IN === 1;

let prober: Prober;
before(async () => {
  prober = await Prober.start();
});
after(() => prober.stop());

test("every example, cut at every line, at every offset of the last line", async () => {
  for (const text of examples()) {
    const lines = text.split("\n");
    for (let count = 1; count <= lines.length; count += isLong ? 1 : 11) {
      await prober.show(lines.slice(0, count).join("\n"));
      await prober.askOnLastLine(count, isLong ? 1 : 5);
    }
  }
});

test("every example with pieces missing, at every offset", async () => {
  const random = generator(7);
  const step = 24;
  for (const text of examples())
    for (let round = 0; round < (isLong ? step : 1); round++) {
      await prober.show(damaged(text, random, 1 + (round % 6)));
      await prober.askEverywhere(round, step);
    }
});

test("text that isn't a flow", async () => {
  const texts = [
    "",
    "\n",
    "\uFEFF",
    "-",
    "- a\n- b",
    "{",
    "[",
    "{{",
    '"',
    "'",
    "|",
    "nodes",
    "nodes:",
    "nodes: {",
    "nodes: [",
    "nodes: 3",
    "nodes:\n  - a",
    "nodes:\n  ? a\n  : b",
    "nodes:\n\ta: b",
    "nodes:\n  a: *x",
    "nodes: &x\n  a: *x",
    "a: b\r\nc: d\rnodes:\r  x:",
    "nodes:\n  a:\n    edges:\n      - \n      -\n      - to",
    "%YAML 1.2\n---\nnodes:\n  a:",
    "---\na: b\n---\nnodes:",
    "nodes:\n  __proto__:\n    type: end\n  constructor: {edges: [{to: __proto__}]}",
    "entry: {a: b}\nnodes:\n  a: [x]\n  b: x\n  3: {type: 3}\n  : {}\n",
    "context_variables: [a]\nnodes: {a: {variable: {x: y}, saves: [1], edges: {to: x}}}",
    `nodes:\n  a: ${"[".repeat(60)}`,
    `nodes:\n  a: ${"{x: ".repeat(60)}`,
    `nodes:\n  a: ${"- ".repeat(60)}`,
    `nodes:\n  a: "${"{{".repeat(80)}`,
  ];
  for (const text of texts) {
    await prober.show(text);
    await prober.askEverywhere(0, isLong ? 1 : 2);
  }
});

function examples(): string[] {
  return readdirSync("examples")
    .filter((name) => /\.flow\.ya?ml$/.test(name))
    .map((name) => readFileSync(`examples/${name}`, "utf8"));
}

function damaged(text: string, random: () => number, pieces: number): string {
  let broken = text;
  for (let count = 0; count < pieces; count++) {
    const at = Math.floor(random() * broken.length);
    broken = broken.slice(0, at) + broken.slice(at + Math.floor(random() * 12));
  }
  return broken;
}

/** A seeded random generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
