/** Locations of breakpoints: every line of a node belongs to it, in the examples and in unusually written flows. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { stringify } from "yaml";
import { Breakpoints } from "../../../debug/breakpoints";
import { FlowDocument, type NodeBlock } from "../../../flow";
import { elementOnLine, elementsOnLines, placeOf } from "../../../flow/debug";
import { programOf } from "../../../flow/run";
import { inProject } from "../../../scripts/project";
import { randomFlows, seeded } from "../run/random-flows";

const examples = ["billing", "support-line"].map((name) => inProject(`examples/${name}.flow.yaml`));
const corpus = readdirSync(inProject("test/corpus"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.flow\.ya?ml$/.test(name))
  .map((name) => inProject(`test/corpus/${name}`));

/** Each flow with other line breaks, styles, broken ends, tabs, and comments everywhere. */
function* oddTexts(): Generator<{ readonly name: string; readonly text: string }> {
  for (const file of [...examples, ...corpus]) yield { name: file, text: readFileSync(file, "utf8") };
  for (const file of examples) {
    const text = readFileSync(file, "utf8");
    yield { name: `${file} with CRLF`, text: text.replaceAll("\n", "\r\n") };
    yield { name: `${file} with CR`, text: text.replaceAll("\n", "\r") };
    yield { name: `${file} with a mark`, text: `\uFEFF${text}` };
    yield { name: `${file} with comments`, text: text.replaceAll("\n", " # said\n") };
    yield { name: `${file} with blank lines`, text: text.replaceAll("\n", "\n\n   \n") };
    for (let cut = 1; cut < 12; cut++)
      yield { name: `${file} cut at ${cut}`, text: text.slice(0, Math.floor((text.length * cut) / 12)) };
  }
  for (let seed = 1; seed <= 160; seed++) {
    const [flow] = randomFlows(seeded(seed)).flows;
    const style = seed % 3 === 0 ? { collectionStyle: "flow" as const, lineWidth: 40 } : { indent: 2 + (seed % 4) };
    yield { name: `random ${seed}`, text: stringify(flow, style) };
  }
}

test("breakpoints verify on every line of a node, and on an edge's lines for the edge", () => {
  let files = 0;
  let lines = 0;
  for (const { name, text } of oddTexts()) {
    const document = FlowDocument.read(text);
    files++;
    for (const [index, node] of document.nodes.entries()) {
      const first = document.positionOf(node).line;
      const end = document.startOf(node) + (node.value?.span.end ?? node.keySpan.end);
      const last = Math.max(first, document.positionAt(Math.max(0, end - 1)).line);
      for (let line = first; line <= last; line++) {
        lines++;
        const found = elementOnLine(document, line);
        assert.ok(found, `${name}:${line + 1}`);
        const owner = ownerOf(document, document.nodes, index, line);
        assert.equal(found.node, owner.id, `${name}:${line + 1}`);
        const words = document.offsetAt({ line, character: 0 }) + Math.max(0, lineText(document, line).search(/\S/));
        const edge = owner.edges.find(({ span }) => {
          const { start, end } = document.absolute(owner, span);
          return (
            document.positionAt(start).line <= line &&
            words < end &&
            (words >= start || isBullet(document, words, start))
          );
        });
        assert.equal(found.edge, edge?.id, `${name}:${line + 1}`);
      }
      const place = placeOf(document, { node: node.id, edge: undefined });
      assert.ok(place);
      assert.ok(
        elementsOnLines(document, first, first).some((each) => each.node === node.id),
        `${name}: ${node.id}`,
      );
    }
  }
  assert.ok(files >= 200, `${files} files`);
  assert.ok(lines > 5000, `${lines} lines`);
});

/** If several nodes share a line, the first one that starts there, or the one that continues. */
function ownerOf(document: FlowDocument, nodes: readonly NodeBlock[], index: number, line: number): NodeBlock {
  const words = document.offsetAt({ line, character: 0 }) + Math.max(0, lineText(document, line).search(/\S/));
  for (let at = index; at >= 0; at--) {
    const node = nodes[at] as NodeBlock;
    if (document.startOf(node) <= words) return node;
  }
  // The line begins before any node: the first node on it.
  return nodes.find((node) => document.startOf(node) >= words) as NodeBlock;
}

const lineText = (document: FlowDocument, line: number) =>
  document.slice({
    start: document.offsetAt({ line, character: 0 }),
    end: document.offsetAt({ line: line + 1, character: 0 }),
  });

const isBullet = (document: FlowDocument, from: number, to: number) =>
  /^-\s*$/.test(document.slice({ start: from, end: to }));

test("lines between nodes belong to the node below, lines outside to none", () => {
  const document = FlowDocument.read(
    "entry: a\nnodes:\n  # about a\n  a: {type: end}\n\n  # about b\n  b:\n    type: end\n\n# the end\npersona: Me\n",
  );
  const at = (line: number) => elementOnLine(document, line)?.node;
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(at), [
    undefined,
    "a",
    "a",
    "a",
    "b",
    "b",
    "b",
    "b",
    "b",
    "b",
    undefined,
  ]);
});

test("breakpoints move with edits and stay on their text", () => {
  let moved = 0;
  const texts = [
    ...examples.map((file) => readFileSync(file, "utf8")),
    ...Array.from({ length: 40 }, (_, seed) => stringify(randomFlows(seeded(seed + 1)).flows[0])),
  ];
  for (const [index, text] of texts.entries()) {
    const random = seeded(index + 1);
    const before = FlowDocument.read(text);
    const starts = before.nodes.map((node) => before.positionOf(node).line);
    const lines = [...text.split("\n").keys()].filter(
      (line) => elementOnLine(before, line) && line >= (starts[0] ?? 0),
    );
    const breakpoints = new Breakpoints();
    const wishes = lines.map((line) => ({ line, request: { line } }));
    const set = breakpoints.set("a.flow.yaml", programOf(before), wishes);
    const written = text.split("\n");
    // From the end, so that the lines above keep their numbers.
    for (const start of [...starts].reverse())
      if (random() < 0.5)
        written.splice(start, 0, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => "  # new"));
    written.unshift("# a first line");
    const after = FlowDocument.read(written.join("\n"));
    breakpoints.moved("a.flow.yaml", programOf(after));
    for (const [at, now] of breakpoints.all.entries()) {
      const old = set[at];
      assert.ok(old?.breakpoint && now.breakpoint, `text ${index}, line ${lines[at]}`);
      assert.equal(lineText(after, now.line).trim(), lineText(before, old.line).trim(), `text ${index}`);
      if (now.line !== old.line) moved++;
    }
  }
  assert.ok(moved > 1000, `${moved} moved`);
  // The element of the breakpoint is gone: it moves to the element on its line now, or becomes unverified.
  const breakpoints = new Breakpoints();
  const read = (text: string) => programOf(FlowDocument.read(text));
  breakpoints.set("b", read("entry: a\nnodes:\n  a: {type: end}\n  b: {type: end}\n"), [
    { line: 3, request: { line: 4 } },
  ]);
  breakpoints.moved("b", read("entry: a\nnodes:\n  a: {type: end}\n  c: {type: end}\n"));
  assert.equal(breakpoints.all[0]?.breakpoint?.element.node, "c");
  breakpoints.moved("b", read("entry: a\n"));
  assert.match(breakpoints.all[0]?.message ?? "", /on nodes or edges/);
});
