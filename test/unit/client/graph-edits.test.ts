/** An edit of the graph is computed for one version of the text, and applied to no other. */
import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import { GraphText } from "../../../client/pages/graph-text";
import { PlaceOfRequest } from "../../../server/messages";
import { vscodeStub } from "../../support/vscode";

const edits = [
  { range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } }, newText: "" },
  { range: { start: { line: 7, character: 4 }, end: { line: 7, character: 4 } }, newText: "x" },
];

/** Applies an edit made for version 3; `typed` runs while the server computes it. */
async function applied(
  typed: (version: number) => number,
  accepts = true,
  uri = "file:///a.flow.yaml",
  edit: object = { kind: "remove-node" },
  place: object | undefined = undefined,
) {
  let version = 3;
  const written: string[][] = [];
  const warnings: string[] = [];
  vscodeStub.answer = ({ title }) => void warnings.push(title);
  Object.assign(vscode.workspace, {
    openTextDocument: async () => ({ version }),
    applyEdit: async ({ texts }: { readonly texts: string[] }) => accepts && written.push(texts) > 0,
  });
  const server = {
    sendRequest: async (method: string) => {
      if (method === PlaceOfRequest.method) return place;
      const answer = { edits, version };
      version = typed(version);
      return answer;
    },
  };
  const text = new GraphText(server as never, {} as never, () => vscode.Uri.parse(uri));
  const isApplied = await text.apply({ id: "a", ...edit } as never);
  return { isApplied, written, warnings };
}

test("edits for the current text are applied as one change", async () => {
  assert.deepEqual(await applied((version) => version), { isApplied: true, written: [["", "x"]], warnings: [] });
});

test("edits for an older or another text are dropped, with a message", async () => {
  for (const typed of [(version: number) => version + 1, (version: number) => version + 40, () => 1]) {
    const { isApplied, written, warnings } = await applied(typed);
    assert.deepEqual([isApplied, written], [false, []]);
    assert.match(warnings.join(), /The file changed, so the edit wasn't applied/);
  }
});

test("nothing is changed in a file system that is read-only", async () => {
  const { isApplied, written, warnings } = await applied((version) => version, true, "read-only:///a.flow.yaml");
  assert.deepEqual([isApplied, written], [false, []]);
  assert.match(warnings.join(), /can't be changed: its folder is read-only/);
});

test("an edit that the editor rejects is reported", async () => {
  const { isApplied, warnings } = await applied((version) => version, false);
  assert.deepEqual([isApplied, warnings.length], [false, 1]);
});

test("renaming a node applies the edit of Rename Symbol, which also changes tests and policies", async () => {
  const everywhere = new vscode.WorkspaceEdit();
  everywhere.replace(vscode.Uri.parse("file:///a.flowtest.yaml"), {} as never, "b");
  const calls: unknown[][] = [];
  const { executeCommand } = vscode.commands;
  Object.assign(vscode.commands, {
    executeCommand: async (...call: unknown[]) => {
      calls.push(call);
      return everywhere;
    },
  });
  const place = { start: { line: 4, character: 2 }, end: { line: 4, character: 3 } };
  const { isApplied, written } = await applied(
    (version) => version,
    true,
    undefined,
    { kind: "rename", name: "b" },
    place,
  );
  Object.assign(vscode.commands, { executeCommand });
  assert.deepEqual([isApplied, written], [true, [["b"]]]);
  const [command, , , name] = calls[0] ?? [];
  assert.deepEqual([calls.length, command, name], [1, "vscode.executeDocumentRenameProvider", "b"]);
});

test("the text of an edge is revealed from the first column, so that a long line doesn't cut off its keys", async () => {
  const revealed: { given: unknown[] }[] = [];
  const editor = { revealRange: (range: { given: unknown[] }) => revealed.push(range) };
  Object.assign(vscode.window, { showTextDocument: async () => editor });
  const place = { start: { line: 4, character: 8 }, end: { line: 4, character: 200 } };
  const server = { sendRequest: async () => place };
  const panel = { viewColumn: 2 };
  const text = new GraphText(server as never, panel as never, () => vscode.Uri.parse("file:///a.flow.yaml"));
  await text.reveal({ kind: "edge", node: "a", id: "b" }, true);
  assert.deepEqual(
    revealed.map(({ given }) => given),
    [[4, 0, 4, 0]],
  );
});
