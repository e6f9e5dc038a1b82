/** Parts that couldn't be parsed are unknown, not absent: one cause, one finding. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDocument, FlowDocument } from "../../../flow";

/** A variable that no node sets is information, and irrelevant here. */
const found = (text: string) =>
  checkDocument(FlowDocument.read(text)).flatMap(({ code, severity }) =>
    code === "may-be-unset" && severity === "info" ? [] : code,
  );

const chain = Array.from(
  { length: 100 },
  (_, n) =>
    `  n${n}:\n    type: message\n    instructions: Step ${n}.\n    edges:\n      - to: ${n < 99 ? `n${n + 1}` : "bye"}\n`,
).join("");
const flow = (greeting: string) =>
  `entry: greet\ncontext_variables:\n  plan: {type: string}\nnodes:\n  greet:\n    type: message\n    instructions: ${greeting}\n    edges:\n      - to: n0\n${chain}  bye: {type: end, instructions: "{{plan}}"}\n`;

describe("text that couldn't be parsed", () => {
  it("hides nothing in a valid file", () => assert.deepEqual(found(flow("Hello.")), []));

  it("in the entry node gives one finding, not one for each node after it", () =>
    assert.deepEqual(found(flow('"Hello.')), ["yaml-syntax"]));

  it("may use or declare a variable, be a target, or be the entry", () => {
    const rest = "nodes:\n  a: {type: end, instructions: 'On {{plan}}'}\n";
    assert.deepEqual(found(`entry: a\ncontext_variables:\n  plan: {type: "string}\n${rest}`), ["yaml-syntax"]);
    assert.deepEqual(
      found("entry: a\ncontext_variables:\n  plan: {type: string}\nnodes:\n  a: {type: end, name: '{{plan}}\n"),
      ["yaml-syntax"],
    );
    assert.deepEqual(found(`entry: "a\ncontext_variables:\n  plan: {type: string}\n${rest}`), ["yaml-syntax"]);
    assert.deepEqual(found("entry: a\nnodes:\n  a: {type: decision, edges: [{to: b}]}\n  b: {type: end, name: '}\n"), [
      "yaml-syntax",
    ]);
  });

  it("is checked again once it can be parsed", () => {
    const document = FlowDocument.read(flow('"Hello.'));
    checkDocument(document);
    const at = document.text.indexOf('"Hello.');
    document.edit([{ start: at, end: at + 1, text: "" }]);
    const edge = document.text.indexOf("to: n0");
    document.edit([{ start: edge, end: edge + 6, text: "to: bye" }]);
    assert.equal(checkDocument(document).filter(({ code }) => code === "unreachable-node").length, 1);
  });
});

describe("unknown fields", () => {
  it("may point to the nodes they name", () => {
    const menu = (field: string) =>
      `entry: menu\nnodes:\n  menu:\n    type: keypad\n    ${field}\n  sales: {type: end}\n  help: {type: end}\n`;
    assert.deepEqual(found(menu('options: {"1": sales, "2": help}')), []);
    assert.deepEqual(found(menu("routes: [{key: 1, go: sales}, {key: 2, go: help}]")), []);
    assert.deepEqual(found(menu("branches: {sales: pressed 1, help: pressed 2}")), []);
    assert.deepEqual(found(menu('options: {"1": sales}')), ["unreachable-node"]);
  });

  it("may be edges of a node of a known type", () => {
    const ask = (field: string) =>
      `entry: a\nnodes:\n  a: {type: message, instructions: Hi., ${field}}\n  b: {type: end}\n`;
    assert.deepEqual(found(ask("fallback: b")), []);
    assert.deepEqual(found(ask("edges: [{to: b, when: yes please, else: b}]")), []);
    assert.deepEqual(found(ask("note: x")).includes("dead-end"), false);
    assert.deepEqual(found(ask("edges: []")).includes("dead-end"), true);
  });
});
