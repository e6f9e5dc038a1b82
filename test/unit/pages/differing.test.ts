import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { differing, differingValues, type Part } from "../../../webview/page/differing";

test("only differing words of two values are marked", () => {
  const shown = (one: string, two: string) =>
    differing(one, two).map((parts: readonly Part[]) =>
      parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""),
    );
  assert.deepEqual(shown("Ann Lee", "A. Lee"), ["[Ann] Lee", "[A.] Lee"]);
  assert.deepEqual(shown("a•••@x.com", "j•••@mail.x.com"), ["[a•••]@x.com", "[j•••]@[mail.]x.com"]);
  assert.deepEqual(shown("12", "12"), ["12", "12"]);
  assert.deepEqual(shown("a b c d", "x b c y"), ["[a] b c [d]", "[x] b c [y]"]);
  assert.deepEqual(shown("one", "one one"), ["one", "one[ one]"]);
  assert.deepEqual(shown("", "new"), ["", "[new]"]);
  assert.deepEqual(shown(".ab", "ab."), ["[.]ab", "ab[.]"]);
});

test("no text is lost, and unmarked text is the same on both sides", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", " ", ".", "é"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (one, two) => {
      const [left, right] = differing(one, two);
      const all = (parts: readonly Part[]) => parts.map((part) => part.text).join("");
      const same = (parts: readonly Part[]) => all(parts.filter(({ differs }) => !differs));
      assert.deepEqual([all(left), all(right)], [one, two]);
      assert.equal(same(left), same(right));
    }),
  );
});

test("a value that isn't set isn't marked, and the other one is marked as a whole", () => {
  const added = differingValues("(none)", "none (yet)");
  assert.deepEqual(added, [[{ text: "(none)", differs: false }], [{ text: "none (yet)", differs: true }]]);
  assert.deepEqual(differingValues("a", "a b"), differing("a", "a b"));
});
