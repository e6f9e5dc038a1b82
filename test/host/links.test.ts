/** Links to nodes, and the tasks that run the command line. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { openLink } from "../../client/links";
import { eventually, extensionId, test } from "./suite";

const link = (query: Record<string, string>, path = "/open") =>
  openLink(vscode.Uri.from({ scheme: "vscode", authority: extensionId, path, query: `${new URLSearchParams(query)}` }));

test("a link opens the file at the node, and files outside of the workspace stay closed", async () => {
  await link({ file: "billing.flow.yaml", node: "look_up" });
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor, "an editor is open");
  assert.ok(editor.document.uri.path.endsWith("/billing.flow.yaml"));
  assert.match(editor.document.lineAt(editor.selection.active.line).text, /^ {2}look_up:/);
  await link({ file: editor.document.uri.fsPath, node: "goodbye" });
  const line = vscode.window.activeTextEditor?.selection.active.line ?? -1;
  assert.match(editor.document.lineAt(line).text, /^ {2}goodbye:/);
  await link({ file: "billing.flow.yaml", node: "type" });
  assert.equal(vscode.window.activeTextEditor?.selection.active.line, 0, "`type` is a field, not a node");
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder);
  const outside = vscode.Uri.joinPath(folder, "../outside.flow.yaml");
  // In a browser the workspace is the root, and there is nothing outside.
  const isOutside = vscode.workspace.getWorkspaceFolder(outside) === undefined;
  if (isOutside) await vscode.workspace.fs.writeFile(outside, new TextEncoder().encode("entry: a\n"));
  const ups = ["../", "x/../../", "./../", "%2e%2e/", ".%252E/", "..%2f"].map((up) => `${up}outside.flow.yaml`);
  const paths = [...ups, ...ups.map((up) => `${folder.path}/${up}`), outside.path];
  for (const file of [...paths, "/etc/passwd", "missing.flow.yaml", "../../x.flow.yaml", ""])
    await link({ file, node: "a" });
  await link({ file: "billing.flow.yaml" }, "/run");
  if (isOutside) await vscode.workspace.fs.delete(outside);
  assert.deepEqual(
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
    [],
  );
});

test("tasks check and test the flows of the folder", async () => {
  await vscode.extensions.getExtension(extensionId)?.activate();
  const tasks = await vscode.tasks.fetchTasks({ type: "assistant-flow" });
  assert.deepEqual(tasks.map(({ name }) => name).sort(), ["check", "check --watch", "test", "test --watch"]);
  const tests = tasks.find(({ name }) => name === "test");
  assert.ok(tests);
  assert.deepEqual(tests.problemMatchers, ["$assistant-flow-test"]);
  let code: number | undefined;
  const listener = vscode.tasks.onDidEndTaskProcess((event) => {
    if (event.execution.task.name === "test") code = event.exitCode;
  });
  await vscode.tasks.executeTask(tests);
  await eventually("the tests ran", () => code !== undefined);
  listener.dispose();
  assert.equal(code, 0);
});
