/** No fix is offered for a file that can't be saved. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hover, MarkdownString, Uri } from "vscode";
import { canBeSaved, withoutFixLinks } from "../../../client/read-only";

test("a file of a read-only file system, or one that its file system has locked, can't be saved", async () => {
  for (const scheme of ["read-only", "locked"])
    assert.equal(await canBeSaved(Uri.parse(`${scheme}:///a.flow.yaml`)), false, scheme);
  for (const scheme of ["file", "untitled", "vscode-vfs"])
    assert.equal(await canBeSaved(Uri.parse(`${scheme}:///a.flow.yaml`)), true, scheme);
});

test("a hover there has no links that change the file", () => {
  const text = new MarkdownString();
  text.isTrusted = { enabledCommands: ["assistantFlow.applyFix"] };
  const hover = { contents: [text, "text"] } as unknown as Hover;
  assert.equal(withoutFixLinks(hover), hover);
  assert.equal(text.isTrusted, false);
  assert.equal(withoutFixLinks(null), null);
});
