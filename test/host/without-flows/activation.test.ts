/** A window without flows never activates the extension; opening the first flow does. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, extensionId, openFlow, test } from "../suite";

test("a window without flows doesn't activate the extension", async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension, "the extension is installed");
  await eventually("VS Code has started, with the extensions that wait for it", () =>
    vscode.extensions.all.some(
      ({ isActive, packageJSON }) => isActive && packageJSON.activationEvents?.includes("onStartupFinished"),
    ),
  );
  await openFlow("notes.txt", "Notes.\n");
  await openFlow("compose.yaml", "services: {}\n");
  await openFlow("policies.yaml", "policies: {}\n");
  // By then, the search for `workspaceContains` has finished too.
  assert.deepEqual(await vscode.workspace.findFiles("**/*.{flow,flowtest}.{yaml,yml}"), []);
  await vscode.commands.executeCommand("workbench.view.explorer");
  await vscode.commands.executeCommand("workbench.view.scm");
  assert.equal(extension.isActive, false);
});

test("opening a flow activates it", async () => {
  await openFlow("first.flow.yaml", "entry: bye\nnodes:\n  bye: {type: end}\n");
  await eventually("the extension is active", () => vscode.extensions.getExtension(extensionId)?.isActive);
});
