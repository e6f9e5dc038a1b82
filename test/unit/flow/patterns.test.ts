/** Patterns of paths and names match like regular expressions, in linear time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { namePattern, pathPattern } from "../../../flow";
import { readPolicyFile } from "../../../flow/policy";
import { cases } from "../../support/cases";

/** The same pattern as a regular expression, which is correct but slow on hostile ones. */
function expected(glob: string): RegExp | undefined {
  const source = (text: string): string =>
    text.replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[!^]?[^\]/]+\]|[.+^$()|[\]\\{}]/g, (sign) => {
      if (sign === "**/") return "(?:[^]*/)?";
      if (sign === "**") return "[^]*";
      if (sign === "*") return "[^/]*";
      if (sign === "?") return "[^/]";
      if (sign.length === 1) return `\\${sign}`;
      const inside = sign.slice(1, -1);
      if (sign.startsWith("{")) return `(?:${inside.split(",").map(source).join("|")})`;
      const signs = inside.replace(/[\\[^]/g, "\\$&");
      return /^[!^]/.test(inside) ? `[^/${signs.replace(/^(!|\\\^)/, "")}]` : `[${signs}]`;
    });
  try {
    return new RegExp(`^${source(glob)}$`, "u");
  } catch {
    return undefined;
  }
}

const piece = fc.constantFrom(
  "a",
  "b",
  "/",
  "*",
  "**",
  "**/",
  "?",
  "{a,b}",
  "{a/b,*}",
  "[ab]",
  "[!a]",
  "[a-b]",
  "{",
  "]",
  ".",
);
const text = fc.array(fc.constantFrom("a", "b", "/", "."), { maxLength: 8 }).map((parts) => parts.join(""));

test("a path pattern matches the same paths as its regular expression", () => {
  const glob = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(glob, text, (pattern, path) => {
      const wanted = expected(pattern);
      if (wanted) assert.equal(pathPattern(pattern)?.test(path), wanted.test(path), `${pattern} on ${path}`);
    }),
    { numRuns: cases(5_000) },
  );
});

test("a name pattern counts characters outside the BMP as one", () => {
  assert.equal(namePattern("?b*")?.test("😀bcd"), true);
  assert.equal(namePattern("??b*")?.test("😀bcd"), false);
  assert.equal(namePattern("*")?.test(""), true);
  assert.equal(namePattern("a*a")?.test("a"), false);
});

test("hostile patterns terminate", () => {
  const long = "a".repeat(10_000);
  for (const hostile of [
    "*a".repeat(120),
    "**/".repeat(80),
    "{a,aa}".repeat(40),
    "**a".repeat(80),
    "{*a,**a}".repeat(30),
  ])
    assert.equal(pathPattern(`${hostile}b`)?.test(long), false, hostile);
  assert.equal(namePattern(`${"*a".repeat(120)}b`)?.test(long), false);
  assert.equal(namePattern(`*${"a".repeat(200)}b`)?.test(long), false);
});

test("an invalid pattern is a problem in the policy file", () => {
  const policies = (flows: string) =>
    readPolicyFile(`policies:\n  - id: p\n    flows: ${flows}\n    every_path_to: {type: end}\n    passes: entry\n`);
  assert.deepEqual(policies('"a/**"').problems, []);
  assert.match(policies(`["a", "${"*a".repeat(200)}"]`).problems[0]?.message ?? "", /up to 256 characters/);
  assert.match(policies('"[b-a]"').problems[0]?.message ?? "", /Invalid pattern/);
});
