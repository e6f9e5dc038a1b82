/** Every feature at the offsets of broken files: no exception, no answer outside the document, nothing pathological. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument, type Span } from "../../../flow";
import { codeLenses, edgesTitle } from "../../../server/features/code-lens";
import { complete, type Neighbours } from "../../../server/features/completion";
import { platformIdAt } from "../../../server/features/components";
import { documentationOf } from "../../../server/features/documentation";
import { allEntries, entriesIn } from "../../../server/features/entries";
import { waysIn, waysOut } from "../../../server/features/hierarchy";
import { hover } from "../../../server/features/hover";
import { inlayHints } from "../../../server/features/inlay-hints";
import { links } from "../../../server/features/links";
import { nameAt, occurrencesOf } from "../../../server/features/occurrences";
import { outline } from "../../../server/features/outline";
import { rename } from "../../../server/features/rename";
import { Converter } from "../../../server/to-protocol";
import { documentSymbols, semanticTokens } from "../../../server/to-protocol-items";

const neighbours: Neighbours = { ids: () => [{ id: "x", detail: "" }], component: () => undefined };
const templates = { assistant: "https://a/{id}", revision: "", tool: "https://t/{id}", component: "" };
const all = { targets: true, incoming: true, setHere: true };
const lenses = { edges: true, findings: true, plan: true, preview: true, restore: true };

test("every example, cut at every line", () => {
  for (const text of examples()) {
    const lines = text.split("\n");
    for (let cut = 0; cut <= lines.length; cut++) {
      const broken = lines.slice(0, cut).join("\n");
      checkWhole(broken);
      for (const offset of [broken.length, Math.max(0, broken.length - 3), lastLineStart(broken)])
        checkAt(FlowDocument.read(broken), offset);
    }
  }
});

test("every offset of every example, with pieces missing", () => {
  const random = generator(7);
  for (const text of examples()) {
    for (let round = 0; round < 12; round++) {
      const broken = damaged(text, random, 1 + (round % 6));
      checkWhole(broken);
      const document = FlowDocument.read(broken);
      for (let offset = round % 7; offset <= broken.length; offset += 7) checkAt(document, offset);
    }
    const document = FlowDocument.read(text);
    for (let offset = 0; offset <= text.length; offset++) checkAt(document, offset);
  }
});

test("texts that are no flows at all", () => {
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
    `nodes:\n  a: "${"{{".repeat(200)}`,
  ];
  for (const text of texts) {
    checkWhole(text);
    const document = FlowDocument.read(text);
    for (let offset = 0; offset <= text.length; offset++) checkAt(document, offset);
  }
});

function checkAt(document: FlowDocument, offset: number): void {
  // No cursor can stand inside a line break.
  if (document.slice({ start: offset - 1, end: offset + 1 }) === "\r\n") return;
  const shown = JSON.stringify(document.slice({ start: Math.max(0, offset - 30), end: offset + 30 }));
  const start = performance.now();
  const inside = (span: Span) => {
    assert.ok(
      span.start >= 0 && span.start <= span.end && span.end <= document.length,
      `${JSON.stringify(span)} ${shown}`,
    );
  };
  const found = complete(document, offset, neighbours);
  inside(found.replace);
  assert.ok(
    found.replace.start <= offset && offset <= found.replace.end,
    `completion replaces ${JSON.stringify(found.replace)} ${shown}`,
  );
  assert.ok(!/[\r\n]/.test(document.slice(found.replace)), `completion replaces a line break ${shown}`);
  for (const item of found.items) {
    assert.ok(item.label !== "" && !item.insert.includes("undefined"), shown);
    if (item.about) documentationOf(document, item.about);
  }
  const hovered = hover(document, offset);
  if (hovered) {
    inside(hovered.span);
    assert.ok(hovered.span.start <= offset && offset <= hovered.span.end, shown);
    assert.ok(!hovered.text.includes("undefined"), shown);
  }
  const name = nameAt(document, offset);
  if (name) {
    inside(name.span);
    for (const { span } of occurrencesOf(document, name)) {
      inside(span);
      assert.equal(document.slice(span), name.name);
    }
    for (const { places } of [...waysIn(document, name.name), ...waysOut(document, name.name)]) places.forEach(inside);
  }
  const renamed = rename(document, offset, "something_new");
  if ("edits" in renamed) renamed.edits.forEach(inside);
  const id = platformIdAt(document, offset);
  if (id) inside(id.span);
  // A generous bound: it is here to catch what grows with the square of the text, not to measure.
  assert.ok(performance.now() - start < 1000, `too slow at ${offset} ${shown}`);
}

function checkWhole(text: string): void {
  const document = FlowDocument.read(text);
  const inside = (span: Span): void =>
    assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, `${JSON.stringify(span)} ${text}`);
  const converter = new Converter("file:///x", document, "utf-16");
  const whole = { start: 0, end: text.length };
  for (const { offset } of inlayHints(document, whole, all)) inside({ start: offset, end: offset });
  for (const { span } of links(document, templates)) inside(span);
  for (const { span } of codeLenses(document, lenses, [])) inside(span);
  for (const node of document.nodes) edgesTitle(document, node);
  const lastLine = document.positionAt(document.length).line;
  for (const symbol of documentSymbols(outline(document), converter)) {
    assert.ok(symbol.name !== "", text);
    assert.ok(symbol.range.end.line <= lastLine, text);
    const { range, selectionRange } = symbol;
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    assert.ok(from <= document.offsetAt(selectionRange.start) && document.offsetAt(selectionRange.end) <= to, text);
  }
  const data = semanticTokens(allEntries(document), converter);
  assert.deepEqual(semanticTokens(entriesIn(document, whole), converter), data);
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0] = data.slice(at, at + 3);
    assert.ok(down >= 0 && right >= 0 && length > 0, `${JSON.stringify(data.slice(at, at + 5))} in ${text}`);
    character = down === 0 ? character + right : right;
    line += down;
    const end = document.offsetAt({ line, character }) + length;
    assert.ok(end <= document.length && document.positionAt(end).line === line, text);
  }
}

function examples(): string[] {
  return readdirSync("examples")
    .filter((name) => /\.flow\.ya?ml$/.test(name))
    .slice(0, 6)
    .map((name) => readFileSync(`examples/${name}`, "utf8").slice(0, 6000));
}

function damaged(text: string, random: () => number, pieces: number): string {
  let broken = text;
  for (let count = 0; count < pieces; count++) {
    const at = Math.floor(random() * broken.length);
    broken = broken.slice(0, at) + broken.slice(at + Math.floor(random() * 12));
  }
  return broken;
}

function lastLineStart(text: string): number {
  return text.lastIndexOf("\n") + 1;
}

/** Numbers that look random and are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
