/** Everything in a file is sent as written, or a problem is reported. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { checkDocument, FlowDocument, graphOf } from "../../../flow";

const codes = (text: string) => checkDocument(FlowDocument.read(text)).map(({ code }) => code);

describe("what would be lost", () => {
  it("is reported: edges with the same ID", () => {
    const collide = (edges: string, more = "") =>
      codes(`entry: a\nnodes:\n  a: {type: decision, edges: [${edges}]}\n  z: {type: end}\n${more}`);
    assert.ok(collide("{to: z, when: x}, {to: z, id: a--z}").includes("duplicate-edge"));
    assert.ok(
      collide(
        "{to: b--c}",
        "  b--c: {type: end}\n  a--b: {type: decision, edges: [{to: c}]}\n  c: {type: end}\n",
      ).includes("duplicate-edge"),
    );
    assert.ok(
      collide("{to: z, when: x}, {to: z, when: y}, {to: z--2}", "  z--2: {type: end}\n").includes("duplicate-edge"),
    );
    // An edge with an explicit ID counts in the numbering, so these IDs don't collide.
    const text =
      "entry: a\nnodes:\n  a: {type: decision, edges: [{to: z, id: a--z, when: x}, {to: z}]}\n  z: {type: end}\n";
    assert.deepEqual(codes(text), []);
    assert.deepEqual([...graphOf(FlowDocument.read(text)).edges.keys()], ["a--z", "a--z--2"]);
  });

  for (const [what, line] of [
    ["a key that was deleted", ": Ask for the account."],
    ["a key that is a list", "? [a, b]\n    : c"],
    ["an empty edge", "edges: [{to: b}, null]"],
    ["an empty edge in a block", "edges:\n      - to: b\n      -"],
    ["a number with a zero in front", "inputs: {zip: 01234}"],
    ["a number of 20 digits", "inputs: {id: 12345678901234567890}"],
    ["a key that is such a number", "inputs: {007: x}"],
    ["infinity", "limit: .inf"],
    ["a node's own id", "id: c"],
    ["an edge's source", "edges: [{to: b, source: a}]"],
  ] as const)
    it(`is told: ${what}`, () => {
      const found = codes(`entry: a\nnodes:\n  a:\n    type: decision\n    ${line}\n  b: {type: end}\n`);
      assert.ok(
        found.some((code) =>
          ["yaml-syntax", "missing-field", "ambiguous-scalar", "not-sent", "wrong-type"].includes(code),
        ),
        found.join(),
      );
    });

  it("is reported: an unknown top-level key", () =>
    assert.deepEqual(codes("entry: a\ntimeout: 30\nnodes:\n  a: {type: end}\n"), ["not-sent"]));
});

describe("a folded text", () => {
  for (const lines of [
    ["one", "\ttabbed", "two"],
    ["one", "two", "", "\ttabbed", "", "three"],
    ["\tfirst", "second"],
    ["one", " \tblank and tab", "two"],
  ])
    it(`reads as everywhere: ${JSON.stringify(lines)}`, () => {
      const text = `nodes:\n  a:\n    type: message\n    instructions: >\n${lines.map((line) => `      ${line}\n`).join("")}    name: x\n`;
      assert.equal(FlowDocument.read(text).node("a")?.instructions, parse(text).nodes.a.instructions);
    });
});
