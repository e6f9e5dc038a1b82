import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changedWords } from "../../../webview/plan/changed-words";

const marked = (value: string, other: string) =>
  changedWords(value, other)
    .map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
    .join("");

test("only the words that differ are marked", () => {
  assert.equal(marked("Ask for the first name.", "Ask for the name."), "Ask for the [first ]name.");
  assert.equal(marked("Ask for the name.", "Ask for the first name."), "Ask for the name.");
  assert.equal(marked("a b c", "a x c"), "a [b] c");
  assert.equal(marked("new", "old"), "[new]");
  assert.equal(marked("same", "same"), "same");
});

test("nothing is lost, and what isn't marked is in the other value in this order", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", " ", ".", "é"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (value, other) => {
      const parts = changedWords(value, other);
      assert.equal(parts.map((part) => part.text).join(""), value);
      let from = 0;
      for (const part of parts.filter(({ isChanged }) => !isChanged)) {
        const at = other.indexOf(part.text.match(/[\p{L}]+|\s+|[^\p{L}\s]/u)?.[0] ?? "", from);
        assert.ok(at >= from);
        from = at;
      }
    }),
  );
});
