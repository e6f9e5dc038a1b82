/** User-visible strings: they are in translation files, and in one list that is reviewed before it lands. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inProject, manifest } from "../../scripts/project";
import { split, type Words } from "../../scripts/rules";
import { allWords, textsIn, translatable, untranslatable } from "./ui-strings";

const read = (file: string) => readFileSync(inProject(file), "utf8");

/** With UPDATE=1, writes the expected content. */
function holds(file: string, expected: string, why: string): void {
  if (process.env.UPDATE) {
    mkdirSync(path.dirname(inProject(file)), { recursive: true });
    writeFileSync(inProject(file), expected);
  }
  assert.equal(read(file), expected, `${why}; UPDATE=1 npm test -- house words writes it`);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

test("strings of the manifest are in package.nls.json", () => {
  const apart = split(manifest);
  holds("package.json", json(apart.manifest), "the manifest refers to its strings");
  holds("package.nls.json", json(apart.words), "the strings of the manifest");
});

test("l10n/bundle.l10n.json lists every translatable string", () => {
  const texts = translatable();
  assert.ok(texts.length > 500, `${texts.length} texts`);
  for (const text of texts) {
    const holes = [...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number)))].sort();
    assert.deepEqual(holes, [...holes.keys()], `placeholders are numbered from 0: ${text}`);
  }
  holds(
    "l10n/bundle.l10n.json",
    json(Object.fromEntries(texts.map((text) => [text, text]))),
    "all translatable strings",
  );
});

/** Why strings in these files aren't translated. */
const staysEnglish: Readonly<Record<string, string>> = {
  "client/language-client.ts": "for the log",
  "client/pages/call-page.ts": "for the log",
  "client/testing/index.ts": "for the log",
  "webview/page/dom.ts": "a mistake of ours",
  "server/features/completion/field-table.ts": "beside the fields' words in flow/",
  "files/suite/policy-problems.ts": "diagnostics",
  "files/suite/test-problems.ts": "diagnostics",
  "server/sync/push-problems.ts": "a diagnostic",
  "server/protocol/lifecycle.ts": "errors of the protocol",
  "server/diagnostics/pulled-diagnostics.ts": "an error of the protocol",
  "server/requests/test-requests.ts": "an error of the protocol",
  "server/testing/create.ts": "a mistake of ours",
  "server/idle-thread.ts": "for the log",
  "server/sync/notices.ts": "for editors without translations",
  "server/sync/transport.ts": "for editors without translations, and errors that are never shown",
};

test("a string of the extension goes through t, or has a reason", () => {
  const found = untranslatable();
  assert.deepEqual(
    found.filter(({ file }) => !staysEnglish[file]),
    [],
    "wrap it in t(…), or say why it stays English",
  );
  const files = new Set(found.map(({ file }) => file));
  for (const file of Object.keys(staysEnglish)) assert.ok(files.has(file), `${file} needs no reason any more`);
});

test("test/house/words.txt lists every string, so that new ones are reviewed", () => {
  const words = JSON.parse(read("package.nls.json")) as Words;
  holds("test/house/words.txt", allWords(words), "read what is new as a user would");
});

test("strings are found among comments, patterns and substitutions", () => {
  const source = String.raw`const a = 'It\'s'; // "no text"
const b = /['"]/.test(a) ? ~An \${b ? ~inner \${1}~ : "other"} one~ : 1 / 2; /* 'none' */`
    .replaceAll("~", "`")
    .replaceAll("\\$", "$");
  assert.deepEqual(textsIn(source), ["It's", "inner {}", "other", "An {} one"]);
});
