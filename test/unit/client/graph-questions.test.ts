/** The questions of the graph's edits. */
import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import { askForNames } from "../../../client/pages/graph-questions";

test("titles have IDs in quotes, because an ID may be a word of the sentence", async () => {
  const titles: string[] = [];
  const ask = (answer: string) => async (first: { title: string }, second?: { title: string }) => {
    titles.push((second ?? first).title);
    return answer;
  };
  Object.assign(vscode.window, { showInputBox: ask("c"), showQuickPick: ask("message") });
  const valid = async () => undefined;
  await askForNames({ kind: "rename", id: "a" }, valid);
  await askForNames({ kind: "add-after", id: "a" }, valid);
  await askForNames({ kind: "connect", from: "a", to: "b" }, valid);
  assert.deepEqual(titles, ['Rename "a"', 'Add Node after "a"', 'Add Node after "a"', 'Connect "a" to "b"']);
});
