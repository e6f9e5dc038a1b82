/**
 * Three ways to parse a file must agree: the quick parser with `yaml` for each block, and the file in slices with the
 * whole file. `FLOW_SEED=<n>` runs the seed that a failure names.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseDocument } from "yaml";
import { applyEdits, type Block, FlowDocument, graphOf, scalarText, type Value } from "../../../flow";
import { readQuickly } from "../../../flow/reading/quick";
import { sliceText } from "../../../flow/reading/slices";
import { readYaml } from "../../../flow/reading/yaml";
import { cases } from "../../support/cases";
import { Dice, hostileSnippets, randomFlow, seedTexts } from "./hostile";

const only = process.env.FLOW_SEED;
const seedsUpTo = (count: number) => (only ? [Number(only)] : Array.from({ length: count }, (_, seed) => seed));
const texts = [readFileSync("examples/billing.flow.yaml", "utf8"), ...seedTexts];

function mutate(dice: Dice, text: string): string {
  const start = dice.below(text.length + 1);
  const end = Math.min(text.length, start + (dice.below(3) === 0 ? dice.below(12) : 0));
  return applyEdits(text, [{ start, end, text: dice.below(3) === 0 ? "" : dice.pick(hostileSnippets) }]);
}

test("the fast parser returns what yaml returns, or nothing", () => {
  let read = 0;
  let seen = 0;
  for (const seed of seedsUpTo(cases(12_000))) {
    const dice = new Dice(seed);
    let text = seed % 3 === 0 ? (texts[dice.below(texts.length)] as string) : randomFlow(dice);
    if (dice.below(6) === 0) text = text.replaceAll("\n", "\r\n");
    const changes = dice.below(4);
    for (let count = 0; count < changes; count++) text = mutate(dice, text);
    sliceText(text, ({ cut, start, end }) => {
      if (cut.kind !== "keys") return;
      const slice = text.slice(start, end);
      const quick = readQuickly(text, start, end);
      if (changes === 0 && seed % 3 !== 0) seen++;
      if (!quick) return;
      if (changes === 0 && seed % 3 !== 0) read++;
      const { items, problems } = readYaml(slice, () => false);
      assert.deepEqual(
        { items: [quick], problems: [] },
        { items, problems },
        `FLOW_SEED=${seed}: the readers differ on ${JSON.stringify(slice)}`,
      );
    });
  }
  if (!only) assert.ok(read / seen > 0.9, `the quick reader took only ${read} of ${seen} canonical entries`);
});

const sectionOf = (key: string) => key === "nodes" || key === "context_variables";

test("valid text parses the same in pieces and as a whole", () => {
  let clean = 0;
  for (const seed of seedsUpTo(cases(8000))) {
    const dice = new Dice(seed);
    let text = seed % 2 === 0 ? (texts[dice.below(texts.length)] as string) : randomFlow(dice);
    if (dice.below(6) === 0) text = text.replaceAll("\n", "\r\n");
    const changes = dice.below(3);
    for (let count = 0; count < changes; count++) text = mutate(dice, text);
    // A lone carriage return ends a line in an editor, but is an ordinary character in YAML.
    text = text.replace(/\r(?!\n)/g, "");
    const document = FlowDocument.read(text);
    const whole = readYaml(text, sectionOf);
    const name = `FLOW_SEED=${seed} on ${JSON.stringify(text)}`;
    const isClean = document.problems.every((problem) => problem.code !== "yaml-syntax");
    if (isClean) assert.deepEqual(whole.problems, [], `${name}: slices hide a mistake`);
    if (!isClean || whole.hasAliases) continue;
    clean++;
    const shown = (section: string, at: number, key: string, value: Value | undefined) => {
      const isSection = section === "top" && sectionOf(key) && (value?.kind ?? "map") === "map";
      return { section, at, key, value: isSection ? "section" : value };
    };
    const found = [...document.tops, ...document.nodes, ...document.variables]
      .sort((a, b) => document.startOf(a) - document.startOf(b))
      .map((block: Block) => shown(block.section, document.startOf(block), block.key, block.value));
    const expected = whole.items.flatMap((top) => [
      shown("top", top.at, scalarText(top.key), top.value),
      ...(top.items ?? []).map((item) => shown(String(top.key.value), item.at, scalarText(item.key), item.value)),
    ]);
    assert.deepEqual(found, expected, name);
  }
  if (!only) assert.ok(clean > cases(8000) / 4, `only ${clean} texts were without mistakes`);
});

test("anchors, aliases and merge keys give the same graph as yaml", () => {
  const text = texts.find((each) => each.includes("<<: *base")) as string;
  const data = parseDocument(text, { merge: true }).toJS() as { nodes: Record<string, object> };
  const graph = graphOf(FlowDocument.read(text));
  for (const [id, node] of Object.entries(data.nodes)) {
    const { edges: _, ...fields } = node as { edges?: unknown };
    assert.deepEqual({ ...graph.nodes.get(id) }, { id, ...fields });
  }
});
