/** A save by the user counts even if VS Code leaves it to an autosave that is still writing. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import type { ActiveFlow } from "../../../client/active-flow";
import { Saves } from "../../../client/saves";
import { vscodeStub } from "../../support/vscode";

const document = { uri: vscode.Uri.parse("file:///a.flow.yaml"), isDirty: true, isUntitled: false };
const willSave = new vscode.EventEmitter<unknown>();
const didSave = new vscode.EventEmitter<unknown>();
Object.assign(vscode.workspace, { onWillSaveTextDocument: willSave.event, onDidSaveTextDocument: didSave.event });
Object.defineProperty(vscode.window, "activeTextEditor", { get: () => ({ document }) });

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Saves with a command of VS Code that emits these events before it returns; returns the number of reported saves. */
async function save(command: () => void, later: () => void): Promise<number> {
  const saves = new Saves({ uri: document.uri } as unknown as ActiveFlow);
  vscodeStub.commands.set("workbench.action.files.save", command);
  let reported = 0;
  const saved = saves.save(async () => void reported++);
  await turn();
  later();
  await saved;
  saves.dispose();
  return reported;
}

const written = () => {
  document.isDirty = false;
  didSave.fire(document);
};

test("the command returns while an autosave is writing", async () => {
  document.isDirty = true;
  const autosaves = () => willSave.fire({ document, reason: vscode.TextDocumentSaveReason.AfterDelay });
  assert.equal(await save(autosaves, written), 1);
});

test("a save that VS Code reports itself isn't reported twice", async () => {
  document.isDirty = true;
  const saves = () => {
    willSave.fire({ document, reason: vscode.TextDocumentSaveReason.Manual });
    written();
  };
  assert.equal(await save(saves, () => undefined), 0);
});

test("a save by command counts while another file is still being saved, and if there is nothing to write", async () => {
  const saves = new Saves({ uri: document.uri } as unknown as ActiveFlow);
  const other = { uri: vscode.Uri.parse("file:///slow.flow.yaml") };
  const { Manual } = vscode.TextDocumentSaveReason;
  document.isDirty = true;
  vscodeStub.commands.set("workbench.action.files.saveWithoutFormatting", () => {
    willSave.fire({ document, reason: Manual });
    written();
  });
  willSave.fire({ document: other, reason: Manual });
  let reported = 0;
  const report = async () => void reported++;
  await saves.save(report, true);
  assert.equal(saves.wasSavedWithOthers(document as unknown as vscode.TextDocument), false);
  assert.equal(saves.wasSavedWithOthers(other as unknown as vscode.TextDocument), false);
  assert.equal(reported, 0, "VS Code reported it");
  vscodeStub.commands.set("workbench.action.files.save", () => undefined);
  await saves.save(report);
  assert.equal(reported, 1, "the file was saved already");
  saves.dispose();
});

test("a save that failed isn't reported", async (t) => {
  document.isDirty = true;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const reported = await save(
    () => undefined,
    () => t.mock.timers.tick(3000),
  );
  assert.equal(reported, 0);
});
