import assert from "node:assert/strict";
import { test } from "node:test";
import { differing, type Part } from "../../../webview/review/differing";

test("of two values the words that differ are marked, and nothing else", () => {
  const shown = (one: string, two: string) =>
    differing(one, two).map((parts: readonly Part[]) =>
      parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""),
    );
  assert.deepEqual(shown("Ann Lee", "A. Lee"), ["[Ann] Lee", "[A.] Lee"]);
  assert.deepEqual(shown("a•••@x.com", "j•••@mail.x.com"), ["[a•••@]x.com", "[j•••@mail.]x.com"]);
  assert.deepEqual(shown("12", "12"), ["12", "12"]);
  assert.deepEqual(shown("one", "one one"), ["one", "one[ one]"]);
  assert.deepEqual(shown("", "new"), ["", "[new]"]);
});
