/**
 * Which saves count as the user's in VS Code: only those of the active flow. "Save All", a save by an extension and
 * autosave push nothing.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Answers } from "./answers";
import { environment } from "./place";
import { eventually, replaceText, savedText, test } from "./suite";

const FILE = "support-line.flow.yaml";
const revision = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102";
const base = environment.ASSISTANT_FLOW_BASE_URL ?? "";
const headers = { "x-api-key": environment.ASSISTANT_FLOW_API_KEY ?? "" };
const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
const uri = () => vscode.Uri.joinPath(folder(), FILE);

async function version(): Promise<number> {
  const answer = await fetch(`${base}/v1/workflows/revisions/${revision}`, { headers });
  return ((await answer.json()) as { graph_version?: number }).graph_version ?? 0;
}

/** The menu of the status bar item. */
async function status(answers: Answers): Promise<string> {
  await vscode.commands.executeCommand("assistantFlow.syncMenu", uri());
  return answers.picked.at(-1) ?? "";
}

const becomes = (answers: Answers, words: RegExp) =>
  eventually(`the state is ${words}`, async () => words.test(await status(answers)));

const autoSave = (mode: string | undefined) =>
  vscode.workspace.getConfiguration("files").update("autoSave", mode, vscode.ConfigurationTarget.Global);

test("only saving the active flow alone is a push", async () => {
  await autoSave("off");
  const answers = new Answers();
  answers.button = (_, buttons) => buttons.find((each) => each === "Push");
  const original = await savedText(uri());
  const named = (name: string) => original.replace("name: Greeting", `name: ${name}`);
  try {
    const notes = vscode.Uri.joinPath(folder(), "notes.txt");
    await vscode.workspace.fs.writeFile(notes, new TextEncoder().encode("Notes.\n"));
    const other = await vscode.workspace.openTextDocument(notes);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri()));
    await replaceText(editor, named("First"));
    await editor.document.save();
    await vscode.commands.executeCommand("assistantFlow.push", uri());
    await becomes(answers, /Synced/);
    const before = await version();

    // As before debugging, a task or a commit: saves all unsaved files at once.
    const beside = await vscode.window.showTextDocument(other, vscode.ViewColumn.Two);
    await beside.edit((edit) => edit.insert(new vscode.Position(0, 0), "One more line.\n"));
    await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    const front = vscode.window.activeTextEditor as vscode.TextEditor;
    await replaceText(front, named("Save all"));
    await vscode.commands.executeCommand("workbench.action.files.saveAll");
    await becomes(answers, /unpushed changes/);

    // Saved by an extension while another file is active.
    await replaceText(front, named("Behind"));
    await vscode.window.showTextDocument(other, vscode.ViewColumn.Two);
    assert.ok(await front.document.save());
    await becomes(answers, /unpushed changes/);

    // Autosave, after a delay and when the editor loses the focus.
    for (const mode of ["afterDelay", "onFocusChange"]) {
      const again = await vscode.window.showTextDocument(front.document, vscode.ViewColumn.One);
      await replaceText(again, named(mode));
      await autoSave(mode);
      await vscode.window.showTextDocument(other, vscode.ViewColumn.Two);
      await eventually(`saved by itself (${mode})`, () => !front.document.isDirty);
      await autoSave("off");
      await becomes(answers, /unpushed changes/);
    }
    assert.equal(await version(), before, "nothing was pushed");

    const last = await vscode.window.showTextDocument(front.document, vscode.ViewColumn.One);
    await replaceText(last, named("Last"));
    await vscode.commands.executeCommand("workbench.action.files.save");
    await eventually("it is pushed", async () => (await version()) > before);
    await becomes(answers, /Synced/);
    await replaceText(last, original);
    await vscode.commands.executeCommand("workbench.action.files.save");
    await becomes(answers, /Synced/);
  } finally {
    answers.dispose();
    await autoSave("off");
  }
});

test("a save by the user during an autosave is a push", async () => {
  const answers = new Answers();
  answers.button = (_, buttons) => buttons.find((each) => each === "Push");
  const original = await savedText(uri());
  let finish: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isSaving = false;
  // Delays the autosave until the user has saved too: VS Code then writes once and reports only the autosave.
  const holding = vscode.workspace.onWillSaveTextDocument((event) => {
    isSaving = true;
    event.waitUntil(isHeld.then(() => []));
  });
  try {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri()));
    const before = await version();
    await autoSave("afterDelay");
    await replaceText(editor, original.replace("name: Greeting", "name: Both"));
    await eventually("the autosave has begun", () => isSaving);
    const saved = vscode.commands.executeCommand("assistantFlow.save");
    finish();
    await saved;
    await eventually("it is pushed", async () => (await version()) > before);
    await becomes(answers, /Synced/);
  } finally {
    holding.dispose();
    await autoSave("off");
    await replaceText(await vscode.window.showTextDocument(uri()), original);
    await vscode.commands.executeCommand("workbench.action.files.save");
    await becomes(answers, /Synced/);
    answers.dispose();
  }
});
