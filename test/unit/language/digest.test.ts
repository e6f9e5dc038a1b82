/** Digests of files that aren't open. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Diagnostic } from "vscode-languageserver";
import { type DigestOptions, digestOf } from "../../../server/workspace/digest";

const options: DigestOptions = { rules: {}, encoding: "utf-16", related: true, checks: true };
const uri = "file:///w/a.flow.yaml";
const text = "revision: 0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002\nentry: gone\nnodes:\n  a: {type: end}\n";

test("a digest has all data needed for a closed file", () => {
  const digest = digestOf(uri, text, options);
  const found = JSON.parse(digest.diagnostics) as Diagnostic[];
  assert.deepEqual(
    found.map(({ code }) => code),
    ["unknown-entry"],
  );
  assert.deepEqual(
    digest.symbols.map(({ name }) => name),
    ["a"],
  );
  assert.equal(digest.facts.revision, "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002");
  assert.deepEqual(digest.revisionRange.start, { line: 0, character: 10 });
  assert.equal(digestOf(uri, text, { ...options, checks: false }).diagnostics, "[]");
});
