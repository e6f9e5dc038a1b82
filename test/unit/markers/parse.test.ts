import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Mark, parseMarkers, renderMarkers } from "../../markers/parse";

const only = (source: string) => {
  const file = parseMarkers(source);
  assert.equal(renderMarkers(file), source, "rendering is the inverse of parsing");
  assert.equal(file.cases.length, 1);
  return file.cases[0] as (typeof file.cases)[number];
};
const marked = (source: string) => {
  const each = only(source);
  return each.marks.map((mark) => [each.text.slice(mark.span.start, mark.span.end), mark.label, mark.text]);
};

describe("marker files", () => {
  it("take a mark from the columns under a line, and leave its line out of the text", () => {
    const source = "entry: grete\n#      ^^^^^ unknown-entry: No such node.\nnodes: {}\n";
    assert.deepEqual(marked(source), [["grete", "unknown-entry", "No such node."]]);
    assert.equal(only(source).text, "entry: grete\nnodes: {}\n");
  });

  it("mark the first column with <", () => {
    assert.deepEqual(marked("entry: x\n#<~+0:1 b: two\n#<^^^ a: one\n"), [
      ["e", "b", "two"],
      ["entry", "a", "one"],
    ]);
  });

  it("mark places of no width, spans over several lines, and the end of the file", () => {
    assert.deepEqual(marked("a:\n  b: 1\n# |  here: x\n".replace("|  ", "| ")), [["", "here", "x"]]);
    assert.deepEqual(marked("a:\n  b: 1\n# ^~+1:6 block: x\n  c: 2\n"), [["b: 1\n  c: 2", "block", "x"]]);
    assert.deepEqual(marked("a: 1\n#$ end: x\n"), [["", "end", "x"]]);
  });

  it("take `$0` out, and count columns as they are shown", () => {
    const each = only("to: ab$0cd ef\n#   ^^^^^^ word: abcd\n#          ^^ word: ef\n");
    assert.equal(each.text, "to: abcd ef\n");
    assert.deepEqual(each.cursors, [6]);
    assert.deepEqual(
      marked("to: ab$0cd ef\n#   ^^^^^^ word: abcd\n#          ^^ word: ef\n").map(([text]) => text),
      ["abcd", "ef"],
    );
  });

  it("hold several cases with options and parts", () => {
    const file = parseMarkers(
      "# About.\n#=== one\n#! eol: crlf\na: 1\nb: 2\n# ^ x: y\n#=== two\nc: 3\n#--- fixed\nc: 4\n#--- other\nd\n",
    );
    assert.deepEqual(
      file.cases.map((each) => each.name),
      ["one", "two"],
    );
    assert.equal(file.cases[0]?.text, "a: 1\r\nb: 2\r\n");
    assert.deepEqual(file.cases[0]?.marks[0]?.span, { start: 8, end: 9 });
    assert.equal(file.cases[1]?.text, "c: 3\n");
    assert.equal(file.cases[1]?.parts.get("fixed"), "c: 4\n");
    assert.equal(file.cases[1]?.parts.get("other"), "d\n");
  });

  it("are read back as they were written, whatever the marks", () => {
    const text = "nodes:\n  greet: 🙂 hello\n\n  b: {to: x}\nlast: 1\n";
    const offset = fc.integer({ min: 0, max: text.length });
    const mark = fc
      .tuple(offset, offset, fc.constantFrom("a", "b-c"), fc.constantFrom("", "one", "two\nlines"))
      .map(
        ([a, b, label, answer]): Mark => ({
          span: { start: Math.min(a, b), end: Math.max(a, b) },
          label,
          text: answer,
        }),
      )
      // A position after the last line break is written as the end of the file, and only an empty one can be there.
      .filter(({ span }) => text[span.start] !== "\n" && (span.end < text.length || span.start === text.length));
    fc.assert(
      fc.property(
        fc.uniqueArray(mark, { selector: (m) => JSON.stringify(m), maxLength: 6 }),
        offset,
        (marks, cursor) => {
          const at = Math.min(cursor, text.length - 1);
          const each = { name: "x", options: new Map(), text, cursors: [at], marks, parts: new Map() };
          const source = renderMarkers({ preamble: "", cases: [each] });
          const back = parseMarkers(source).cases[0];
          assert.equal(back?.text, text);
          assert.deepEqual(back?.cursors, [at]);
          const order = (list: readonly Mark[]) => list.map((m) => JSON.stringify(m)).sort();
          assert.deepEqual(order(back?.marks ?? []), order(marks));
        },
      ),
    );
  });
});
