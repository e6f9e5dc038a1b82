/** Plain English: comments and messages stay plain. CONTRIBUTING.md has the conventions. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ruleCatalog } from "../../flow";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";
import { textsIn } from "./ui-strings";

/** The folders whose messages are checked, apart from the sandbox, whose demo data speaks like people do. */
const worded = codeFolders.filter((folder) => folder !== "sandbox");
const commented = [...codeFolders, "scripts", "bench", "test"];

const filesIn = (folders: readonly string[]) => folders.flatMap((folder) => filesBelow(folder, ".ts"));
const files = filesIn(worded);
const read = (file: string) => readFileSync(inProject(file), "utf8");

/** Phrases that read like a literal translation. */
const odd =
  /\b(?:who(?:ever)?|somebody|nobody|anybody|everybody|in vain|anew|for ever|so long|so many|is (?:said|told)|hears|mends?|stands?|lies|truths?|(?:told|tells?) apart|doors?|wish(?:es)?|minds?|worlds?|hands? (?:back|on)|handed (?:back|on)|has not got|(?<!there )is none|(?<!there )is no(?! longer\b| more\b))\b/i;

/** Comments that need such a word, with the reason. */
const allowed: readonly (readonly [comment: RegExp, reason: string])[] = [
  [/`anew` rewrites/, "the name of a parameter"],
];

test("comments use plain English", () => {
  const found = filesIn(commented).flatMap((file) =>
    commentsIn(read(file))
      .filter((comment) => odd.test(comment) && !allowed.some(([pattern]) => pattern.test(comment)))
      .map((comment) => `${file}: ${comment}`),
  );
  assert.deepEqual(found, []);
});

test("messages use contractions and straight quotes", () => {
  // Files that look for such quotes or words.
  const about = new Set([
    "flow/rules/smart-quotes.ts",
    "flow/findings/subject.ts",
    "flow/test/calls/function-words.ts",
    "client/ui/words.ts", // The reason "do not call".
    "platform/contract/requests.ts", // The platform's own messages.
  ]);
  const found = files.flatMap((file) =>
    textsIn(read(file))
      .filter((text) => /[a-z] [a-z]/i.test(text))
      .filter(
        (text) => /\b(?:cannot|(?:can|do|does|did|is|are|was|were|has|have) not)\b/i.test(text) || /[“”]/.test(text),
      )
      .filter(() => !about.has(file))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(found, []);
});

test("titles of rules are noun phrases: no article, no period", () => {
  const found = ruleCatalog.map(({ title }) => title).filter((title) => /^(?:An?|The) |\.$|^[^A-Z]/.test(title));
  assert.deepEqual(found, []);
});

test("translatable strings are whole, never glued from halves", () => {
  const glued = /\bt\((?:"[^"\n]*"|`[^`]*`)[^()\n]*\)\s*\+\s*[`"]?|[`"]\s*\+\s*t\(/;
  const found = codeFolders
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .filter((file) => glued.test(read(file)))
    .sort();
  assert.deepEqual(found, []);
});

test("every form of comment is found", () => {
  const source = 'const a = "// no comment"; // one\n/** two\n * lines */\n// three\n// four\nconst b = `/* none */`;';
  assert.deepEqual(commentsIn(source), ["one", "two lines", "three", "four"]);
});

/** The comments of a source; strings are skipped. */
function commentsIn(source: string): string[] {
  const tokens =
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\*([\s\S]*?)\*\/|(?<![:\\/])\/\/([^\n]*)/g;
  return [...source.matchAll(tokens)]
    .filter((match) => match[1] !== undefined || match[2] !== undefined)
    .map((match) =>
      (match[1] ?? match[2] ?? "")
        .replace(/\n\s*\*/g, " ")
        .replace(/^\*|\s+/g, " ")
        .trim(),
    )
    .map((comment) => comment.replace(/^\* /, ""));
}
