import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument, nodeTypes, yamlWord } from "../../../flow";
import { nodeSnippet, variableSnippet } from "../../../server/features/snippets";

interface Snippet {
  readonly prefix: string;
  readonly description: string;
  readonly body: readonly string[];
}

const snippets = JSON.parse(readFileSync("snippets/assistant-flow.json", "utf8")) as Record<string, Snippet>;

/** What stands in the file when every placeholder is left as it is. */
function expanded(body: readonly string[]): string[] {
  const text = body.join("\n");
  const plain = text
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, "$1")
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, "$1")
    .replace(/\$\d+/g, "")
    .replace(/\\(.)/g, "$1");
  return plain.split("\n");
}

/** The place in a flow where a snippet belongs, by what it starts with. */
function inPlace(lines: readonly string[]): string {
  const indented = (by: number) => lines.map((line) => " ".repeat(by) + line).join("\n");
  const text = lines.join("\n");
  if (text.startsWith("#")) return text;
  if (text.startsWith("- ")) return `nodes:\n  a:\n    type: message\n    edges:\n${indented(6)}`;
  if (text.startsWith("edges:")) return `nodes:\n  a:\n    type: message\n${indented(4)}`;
  if (/^\w+:\n {2}type: (?:string)/.test(text)) return `context_variables:\n${indented(2)}`;
  if (/^\w+:\n {2}type: /.test(text)) return `nodes:\n${indented(2)}`;
  return text;
}

test("there are snippets enough, each with its own prefix", () => {
  const prefixes = Object.values(snippets).map(({ prefix }) => prefix);
  assert.ok(prefixes.length >= 15);
  assert.equal(new Set(prefixes).size, prefixes.length);
  for (const { name } of nodeTypes) assert.ok(prefixes.includes(name), `no snippet for ${name} nodes`);
});

for (const [name, { body, description }] of Object.entries(snippets))
  test(`the snippet "${name}" gives a flow that reads`, () => {
    const text = inPlace(expanded(body));
    const document = FlowDocument.read(text);
    assert.deepEqual(document.problems, [], text);
    assert.ok(!/[$]\{|\}\}\}/.test(text), text);
    assert.match(description, /\.$/);
    if (text.includes("nodes:")) assert.ok(document.nodes.length > 0, text);
  });

/** A snippet as an editor reads it; a stop is `‹›` with its word, a variable of the editor `‹!›`. */
function asEditorReads(snippet: string): string {
  const syntax = /\\([$}\\])|\$\{\d+:?((?:\\.|[^}\\])*)\}|\$\d+|\$\{?[A-Z_a-z]+\}?/g;
  return snippet.replace(syntax, (whole, sign?: string, word?: string) => {
    if (sign !== undefined) return sign;
    return /^\$\{?\d/.test(whole) ? `‹${word ?? ""}›` : "‹!›";
  });
}

test("an id that a snippet declares stays what it is, whatever signs are in it", () => {
  const own = "$".concat("{1:x}");
  for (const id of [
    "plain",
    "a$1b",
    own,
    "a}b",
    "a\\b",
    "$CLIPBOARD",
    "\\$0",
    "}}",
    `\\\\${own}`,
    "$".concat("{TM_FILENAME}"),
  ]) {
    assert.equal(asEditorReads(nodeSnippet("message", id).insert).split("\n")[0], `${yamlWord(id)}:`, id);
    assert.equal(asEditorReads(variableSnippet(id).insert).split("\n")[0], `${yamlWord(id)}:`, id);
  }
  assert.equal(asEditorReads("a$1b $CLIPBOARD"), "a‹›b ‹!›", "what isn't escaped is seen by the check");
});
