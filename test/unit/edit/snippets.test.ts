import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { yamlWord } from "../../../flow/edit";
import { complete } from "../../../server/features/completion/completion";
import { flowSnippet, nodeSnippet, variableSnippet } from "../../../server/features/completion/snippets";

const NO_NEIGHBORS = { ids: () => [], component: () => undefined };

test("the snippet of an empty file is a flow without problems", () => {
  const text = asEditorReads(flowSnippet().insert).replace(/[‹›]/g, "");
  const document = FlowDocument.read(text);
  assert.deepEqual(document.problems, [], text);
  assert.deepEqual(
    document.nodes.map(({ id }) => id),
    ["greet", "goodbye"],
  );
});

test("snippets are offered only where they are valid", () => {
  const labels = (marked: string) => {
    const offset = marked.indexOf("$0");
    const found = complete(FlowDocument.read(marked.replace("$0", "")), offset, NO_NEIGHBORS);
    return found.items.filter(({ kind }) => kind === "snippet").map(({ label }) => label);
  };
  for (const empty of ["$0", "fl$0", "flow$0", "en$0", "# A comment.\n$0"])
    assert.deepEqual(labels(empty), ["flow"], JSON.stringify(empty));
  const flow = "entry: a\nnodes:\n  a:\n    type: tool\n    tool: \n    edges:\n      - to: \n        on: \n";
  for (const key of ["entry:", "type:", "tool:", "to:", "on:"])
    assert.deepEqual(labels(flow.replace(`${key} `, `${key} $0`)), [], key);
  assert.ok(labels(`${flow}  $0`).includes("message node"));
  assert.ok(labels("entry: a\nnodes:\n  a:\n    type: message\n    edges:\n      $0\n").includes("- to"));
});

/** A snippet as an editor parses it; a stop is `‹›` with its word, a variable of the editor `‹!›`. */
function asEditorReads(snippet: string): string {
  const syntax = /\\([$}\\])|\$\{\d+:?((?:\\.|[^}\\])*)\}|\$\d+|\$\{?[A-Z_a-z]+\}?/g;
  return snippet.replace(syntax, (whole, sign?: string, word?: string) => {
    if (sign !== undefined) return sign;
    return /^\$\{?\d/.test(whole) ? `‹${word ?? ""}›` : "‹!›";
  });
}

test("an ID that a snippet declares is unchanged, whatever characters it contains", () => {
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
