import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument, graphOf, locate } from "../../../flow";

const billing = readFileSync("examples/billing.flow.yaml", "utf8");

test("the example parses into its graph without problems", () => {
  const document = FlowDocument.read(billing);
  assert.deepEqual(document.problems, []);
  const graph = graphOf(document);
  assert.deepEqual([...graph.nodes.keys()], ["greet", "ask_account", "look_up", "tell_plan", "hand_over", "goodbye"]);
  assert.equal(graph.edges.get("look_up--hand_over")?.on, "error");
  assert.equal(graph.entry, "greet");
});

test("an element is found at its position", () => {
  const document = FlowDocument.read(billing);
  const place = locate(document, { kind: "edge", node: "greet", id: "greet--ask_account" });
  assert.equal(place && document.slice(place.name), "ask_account");
  const type = locate(document, { kind: "node", id: "look_up", field: "type" });
  assert.equal(type && document.slice(type.span), "type: tool");
});

test("every use of a variable is found at its position", () => {
  const document = FlowDocument.read(billing);
  const uses = document.nodes.flatMap((entry) =>
    entry.refs.map((ref) => `${entry.id} ${ref.kind} ${document.slice(document.absolute(entry, ref.span))}`),
  );
  assert.deepEqual(uses, [
    "ask_account collect account_id",
    "ask_account template account_id",
    "look_up template account_id",
    "look_up save plan",
    "tell_plan template plan",
  ]);
});

const codes = (text: string) => FlowDocument.read(text).problems.map((problem) => problem.code);

test("an unclosed quote affects only its own entry", () => {
  const document = FlowDocument.read(billing.replace("name: Greeting", 'name: "Greeting'));
  assert.equal(document.nodes.length, 6);
  assert.ok(document.problems.length > 0);
  const place = document.extentOf(document.nodes[0] as (typeof document.nodes)[0]);
  for (const { span, message } of document.problems) {
    assert.ok(place.start <= span.start && span.end <= place.end);
    assert.doesNotMatch(message, /scalar|mapping|implicit|flow collection|token/i);
  }
});

test("unaffected entries stay the same objects, and edits of text don't change the shape", () => {
  const document = FlowDocument.read(billing);
  const before = [...document.nodes];
  const shape = document.shape;
  const at = billing.indexOf("Ask for the account");
  document.edit([{ start: at, end: at, text: "Please. " }]);
  assert.deepEqual(
    document.nodes.map((node, index) => node === before[index]),
    [true, false, true, true, true, true],
  );
  assert.equal(document.shape, shape);
  const target = document.text.indexOf("ask_account\n");
  document.edit([{ start: target, end: target + 3, text: "look" }]);
  assert.notEqual(document.shape, shape);
});

test("the layout shows whether entries moved: edits of text keep it, added and swapped lines don't", () => {
  const lines = ["a", "b", "c", "d"].map((id) => `  ${id}: {type: message, instructions: Hello.}\n`);
  const document = FlowDocument.read(`entry: a\npersona: |\n  Kind.\nnodes:\n${lines.join("")}`);
  const layoutAfter = (old: string, text: string) => {
    const start = document.text.indexOf(old);
    document.edit([{ start, end: start + old.length, text }]);
    return document.layout;
  };
  const first = document.layout;
  assert.equal(
    layoutAfter("c: {type: message, instructions: Hello", "c: {type: message, instructions: Good day"),
    first,
  );
  const moved = document.node("d");
  const line = moved && document.positionOf(moved).line;
  // Both have one line, so the line numbers don't show it.
  const swapped = layoutAfter(document.text.slice(document.text.indexOf("  c:")), `${lines[3]}  c: {type: end}\n`);
  assert.equal(document.node("d"), moved, "it is the same entry");
  assert.notEqual(moved && document.positionOf(moved).line, line);
  assert.notEqual(swapped, first);
  assert.notEqual(layoutAfter("  b:", "  # Behind this.\n  b:"), swapped);
});

test("duplicate keys are found at every level, with the position of the first", () => {
  const document = FlowDocument.read("nodes:\n  a: {type: end}\n  a:\n    x: {b: 1, b: 2}\nnodes:\n");
  assert.deepEqual(
    document.problems.map(({ code, span, related }) => [code, document.slice(span), related?.[0]?.span.start]),
    [
      ["duplicate-key", "a", 9],
      ["duplicate-key", "b", 37],
      ["duplicate-key", "nodes", 0],
    ],
  );
});

test("exceeded limits are reported", () => {
  assert.deepEqual(codes(`nodes:\n  a: ${"[".repeat(100_000)}\n`), ["limit"]);
  assert.deepEqual(codes(`nodes:\n  a: ${"{a: ".repeat(70)}1${"}".repeat(70)}\n`), ["limit"]);
  const steps = Array.from({ length: 70 }, (_, depth) => `${" ".repeat(depth + 1)}k:\n`).join("");
  assert.deepEqual(codes(`x:\n${steps}`), ["limit"]);
  const bomb = Array.from({ length: 9 }, (_, n) => `k${n + 1}: &k${n + 1} [${`*k${n}, `.repeat(9)}]\n`).join("");
  assert.ok(codes(`k0: &k0 x\n${bomb}`).includes("limit"));
  const large = FlowDocument.read(`persona: ${"x".repeat(6 * 1024 * 1024)}\n`);
  assert.deepEqual(
    large.problems.map((problem) => problem.code),
    ["limit"],
  );
  large.edit([{ start: 9, end: 3 * 1024 * 1024, text: "" }]);
  assert.deepEqual(large.problems, []);
  assert.equal(large.tops.length, 1);
});

test("__proto__ is a key like any other", () => {
  const graph = graphOf(FlowDocument.read("nodes:\n  __proto__:\n    __proto__: {polluted: true}\n    type: end\n"));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.deepEqual(Object.keys(graph.nodes.get("__proto__") ?? {}), ["id", "__proto__", "type"]);
});

test("changing an anchor changes the entries that use it", () => {
  const text = "base: &base {type: message}\nnodes:\n  a:\n    <<: *base\n    name: A\n  b: {type: end}\n";
  const document = FlowDocument.read(text);
  const b = document.node("b");
  assert.equal(document.node("a")?.type, "message");
  const at = text.indexOf("message");
  document.edit([{ start: at, end: at + 7, text: "end" }]);
  assert.equal(document.node("a")?.type, "end");
  assert.equal(document.node("b"), b);
  assert.equal(
    document.slice(document.absolute(document.node("a") as never, document.node("a")?.typeSpan as never)),
    "*base",
  );
});

test("a text followed by a deeper key isn't called a line with two colons", () => {
  const support = readFileSync("examples/support-line.flow.yaml", "utf8");
  const [problem] = FlowDocument.read(support.replace("    name: Name\n", "name: Name\n")).problems;
  assert.match(problem?.message ?? "", /^The next line is indented too deep for a key below this text\./);
  const [other] = FlowDocument.read(support.replace("name: Name\n", "name: Name: first\n")).problems;
  assert.match(other?.message ?? "", /colon/);
});
