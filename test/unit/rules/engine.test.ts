import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkDocument, FlowDocument, type TextEdit } from "../../../flow";
import { Checker } from "../../../flow/rules/engine/engine";
import type { Rule } from "../../../flow/rules/engine/rule";
import { rules } from "../../../flow/rules/index";
import { cases } from "../../support/cases";

const example = readFileSync(join(__dirname, "../../../examples/billing.flow.yaml"), "utf8");
const codes = (text: string, settings = {}) => checkDocument(FlowDocument.read(text), settings).map(({ code }) => code);

/** An edit that replaces a string. */
function change(text: string, from: string, to: string): TextEdit {
  const start = text.indexOf(from);
  assert.ok(start >= 0, from);
  return { start, end: start + from.length, text: to };
}

describe("the rule engine", () => {
  it("runs a rule on an entry only if the entry changed, and on the shape only if the shape changed", () => {
    const asked = { entry: 0, declared: 0, graph: 0 };
    const counting: Rule = {
      code: "counting",
      severity: "hint",
      title: "",
      checkBlock: () => void asked.entry++,
      checkDeclared: () => void asked.declared++,
      checkGraph: () => void asked.graph++,
    };
    const document = FlowDocument.read(example);
    const checker = new Checker(document, [counting]);
    const entries = document.tops.length + document.nodes.length + document.variables.length;
    const after = (from: string, to: string) => {
      Object.assign(asked, { entry: 0, declared: 0, graph: 0 });
      if (from !== "") document.edit([change(document.text, from, to)]);
      checker.check({});
      return { ...asked };
    };
    assert.deepEqual(after("", ""), { entry: entries, declared: entries, graph: 1 });
    assert.deepEqual(after("", ""), { entry: 0, declared: 0, graph: 0 }, "nothing changed");
    assert.deepEqual(after("Welcome the caller", "Greet the caller"), { entry: 1, declared: 1, graph: 0 }, "words");
    assert.deepEqual(after("to: tell_plan", "to: hand_over"), { entry: 1, declared: 1, graph: 1 }, "an edge");
    assert.deepEqual(after("enum_values: [basic,", "enum_values: [free,").declared, entries, "declared values");
    assert.deepEqual(after("The account the caller", "The account a caller"), { entry: 1, declared: 1, graph: 1 });
  });

  it("has the same results after any edits as for a fresh parse", () => {
    const pieces = [
      "\n",
      "  ",
      ": ",
      "{{",
      "}}",
      "plan",
      "greet",
      "goodbye",
      "- to: greet\n",
      "#",
      "'",
      '"',
      "end",
      "x: 1\n",
      "flow-ignore",
    ];
    const edit = fc.tuple(fc.nat(), fc.nat(30), fc.constantFrom("", ...pieces));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        const document = FlowDocument.read(example);
        checkDocument(document);
        for (const [at, length, text] of edits) {
          const start = at % (document.length + 1);
          document.edit([{ start, end: Math.min(document.length, start + length), text }]);
          assert.deepEqual(checkDocument(document), checkDocument(FlowDocument.read(document.text)));
        }
      }),
      { numRuns: cases(150) },
    );
  });

  it("uses the severity of each rule from the settings", () => {
    const text = "entry: a\nnodes:\n  a: {type: mesage}\n";
    const severity = (settings = {}) =>
      checkDocument(FlowDocument.read(text), settings).map((problem) => problem.severity);
    assert.deepEqual(severity(), ["hint"]);
    assert.deepEqual(severity({ "near-miss-type": "error" }), ["error"]);
    assert.deepEqual(severity({ "near-miss-type": "off" }), []);
    assert.deepEqual(
      codes("entry: a\nnodes: {a: {type: message, instructions: [\n", { "yaml-syntax": "off" }).includes("yaml-syntax"),
      false,
    );
    assert.deepEqual(severity({ __proto__: null, constructor: "off" }), ["hint"]);
  });

  it("follows settings without an edit", () => {
    const document = FlowDocument.read("entry: a\nnodes:\n  a: {type: mesage}\n");
    assert.equal(checkDocument(document).length, 1);
    assert.equal(checkDocument(document, { "near-miss-type": "off" }).length, 0);
    assert.equal(checkDocument(document).length, 1);
  });

  it("reports in document order, with all positions inside the text", () => {
    const document = FlowDocument.read(
      "nodes:\n  a: {type: mesage, edges: [{to: x}, {to: y}]}\n  b: {type: message}\nentry: z\n",
    );
    const problems = checkDocument(document);
    const starts = problems.map((problem) => problem.span.start);
    assert.deepEqual(
      starts,
      [...starts].sort((a, b) => a - b),
    );
    assert.ok(problems.length >= 4);
    for (const { span } of problems) assert.ok(span.start >= 0 && span.end <= document.length);
  });

  it("has unique codes", () => {
    assert.equal(new Set(rules.map((rule) => rule.code)).size, rules.length);
  });
});

describe("# flow-ignore", () => {
  const flow = (edge: string) => `entry: a\nnodes:\n  a:\n    type: decision\n    edges:\n${edge}`;

  it("applies to its own line and the next one", () => {
    assert.deepEqual(codes(flow("      - to: x\n")), ["unknown-target"]);
    assert.deepEqual(codes(flow("      - to: x # flow-ignore unknown-target\n")), []);
    assert.deepEqual(codes(flow("      # flow-ignore unknown-target\n      - to: x\n")), []);
    assert.deepEqual(codes(flow("      # flow-ignore dead-end, unknown-target: comes later\n      - to: x\n")), [
      "unknown-ignore",
      "unknown-target",
    ]);
    assert.deepEqual(codes(flow("      # flow-ignore dead-end, unknown-target\n      - to: x\n")), []);
    assert.deepEqual(
      codes(flow("      # flow-ignore dead-end\n      # flow-ignore unknown-target\n      - to: x\n")),
      [],
    );
  });

  it("applies only to the codes it lists", () => {
    assert.deepEqual(codes(flow("      - to: x # flow-ignore\n")), ["unknown-target", "unknown-ignore"]);
    assert.deepEqual(codes(flow("      - to: x # flow-ignore dead-end\n")), ["unknown-target"]);
    assert.deepEqual(codes(flow("      - to: a # flow-ignore unknown-target\n        when: again\n      - to: x\n")), [
      "unknown-target",
    ]);
    assert.deepEqual(codes(flow("      # flow-ignore unknown-target\n\n      - to: x\n")), ["unknown-target"]);
  });

  it("works at the key of multi-line text", () => {
    const text = (comment: string) =>
      `entry: a\nnodes:\n  a:\n    type: end\n    instructions: | ${comment}\n      Call us\n      at +1 555 010 0123.\n`;
    assert.deepEqual(codes(text("")), ["hardcoded-phone"]);
    assert.deepEqual(codes(text("# flow-ignore hardcoded-phone")), []);
  });

  it("isn't a comment inside text", () => {
    const text =
      "entry: a\nnodes:\n  a:\n    type: end\n    instructions: |\n      # flow-ignore hardcoded-phone\n      +1 555 010 0123\n";
    assert.deepEqual(codes(text), ["hardcoded-phone"]);
  });

  it("works above the first line", () => {
    assert.deepEqual(codes("# flow-ignore unknown-entry\nentry: x\nnodes: {a: {type: end}}\n"), []);
  });
});
