/** Suggestions for misspelled words, compared with the whole table of distances. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, typoOf } from "../../../flow/wording";
import { pick, seeded } from "../run/random-flows";

/** Mistyped, missing, added and swapped letters, without any shortcut. */
function slips(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      (table[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped);
    }
  return at(a.length, b.length);
}

test("a word is near if it has at most two slips, one in short words", () => {
  const random = seeded(36);
  const letter = () => pick(random, [..."abc"]);
  let near = 0;
  for (let run = 0; run < 5000; run++) {
    const word = Array.from({ length: 6 + Math.floor(random() * 35) }, letter);
    const other = [...word];
    for (let slip = Math.floor(random() * 5); slip > 0; slip--) {
      const at = Math.floor(random() * other.length);
      const change = pick(random, ["replace", "add", "remove", "swap"]);
      if (change === "replace") other[at] = letter();
      if (change === "add") other.splice(at, 0, letter());
      if (change === "remove") other.splice(at, 1);
      if (change === "swap") other.splice(at, 2, ...other.slice(at, at + 2).reverse());
    }
    const [a, b] = [word.join(""), other.join("")];
    if (a === b || b.length < 6) continue;
    const distance = slips(a, b);
    const isNear = distance <= (a.length <= 7 ? 1 : 2);
    if (isNear) near++;
    assert.equal(typoOf(a, [b]) === b, isNear, `${a} ${b} ${distance}`);
    assert.equal(nearest(a, [b]) === b, isNear || b.startsWith(a), `${a} ${b} ${distance}`);
  }
  assert.ok(near > 500, `${near}`);
});

test("of two words that are as near, neither is suggested", () => {
  assert.equal(nearest("account", ["accounts", "acount"]), undefined);
  assert.equal(nearest("account", ["accounts", "acount", "Account"]), "Account");
});

test("the only name that begins with a word is suggested", () => {
  assert.equal(nearest("hand", ["greet", "hand_over"]), "hand_over");
  assert.equal(nearest("hand_ov", ["hand_over", "greet", "hand_over"]), "hand_over");
  assert.equal(nearest("Hand", ["hand_over"]), "hand_over");
  assert.equal(nearest("hand", ["hand_over", "hand_back"]), undefined);
  assert.equal(nearest("hand", ["hands", "hand_over"]), "hands");
  assert.equal(nearest("ha", ["hand_over"]), undefined);
  assert.equal(typoOf("hand", ["hand_over"]), undefined);
});
