/** Words, brackets and suggestions of our languages, as VS Code reads them from the manifest. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inProject, manifest } from "../../../scripts/project";

interface Language {
  readonly id: string;
  readonly configuration?: string;
}

const languages = (manifest.contributes.languages as Language[]).filter(({ configuration }) => configuration);
const configurationOf = ({ configuration = "" }: Language) =>
  JSON.parse(readFileSync(inProject(configuration), "utf8"));

test("a word is a whole name, in any script, and never a lone dash", () => {
  assert.ok(languages.length >= 3);
  for (const language of languages) {
    const { pattern, flags } = configurationOf(language).wordPattern;
    const wordsIn = (text: string) => text.match(new RegExp(pattern, `${flags}g`));
    assert.deepEqual(wordsIn("  - to: ask_account"), ["to", "ask_account"], language.id);
    assert.deepEqual(wordsIn('when: "{{größe_2}} is très-bien"'), ["when", "größe_2", "is", "très-bien"]);
    assert.deepEqual(wordsIn("имя: 氏名 - _"), ["имя", "氏名"]);
  }
});

test("braces nest: {{ and }} aren't brackets of their own", () => {
  for (const language of languages)
    assert.deepEqual(configurationOf(language).brackets, [
      ["{", "}"],
      ["[", "]"],
    ]);
});

test("each language suggests while you type, also in strings", () => {
  for (const { id } of languages) {
    const { "editor.quickSuggestions": suggestions } = manifest.contributes.configurationDefaults[`[${id}]`];
    assert.deepEqual([suggestions.other, suggestions.strings], [true, true], id);
  }
});

test("Enter after a typed value ends the line, even while the same value is suggested", () => {
  for (const { id } of languages)
    assert.equal(manifest.contributes.configurationDefaults[`[${id}]`]["editor.acceptSuggestionOnEnter"], "smart", id);
});

test("words of the text aren't suggested: Enter at the end of a sentence starts a new line", () => {
  for (const { id } of languages)
    assert.equal(manifest.contributes.configurationDefaults[`[${id}]`]["editor.wordBasedSuggestions"], "off", id);
});
