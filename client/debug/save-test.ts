/** Saves a run as a test next to its flow, in the existing test file or a new one. */
import * as vscode from "vscode";
import { inform, showError, warn } from "../ui/notice";
import { textColumn, warnIfReadOnly } from "../ui/workspace-files";

type Saved = { readonly text: string; readonly name: string } | { readonly problem: string };

interface SaveRequest {
  readonly flow: string;
  readonly existing?: string | undefined;
  readonly name?: string | undefined;
}

export async function saveRunAsTest(
  flow: vscode.Uri,
  save: (request: SaveRequest) => Saved | Promise<Saved>,
  onSaved: (name: string) => void = () => undefined,
): Promise<void> {
  const file = vscode.Uri.joinPath(flow, "..", testNameFor(flow));
  if (warnIfReadOnly(file)) return;
  const saveAs = async (name?: string) => {
    const existing = await vscode.workspace.openTextDocument(file).then(
      (document) => document,
      () => undefined,
    );
    const request = { flow: flow.path.split("/").at(-1) ?? "", existing: existing?.getText(), name };
    return { existing, version: existing?.version, saved: await save(request) };
  };
  const { existing: found, saved: offered } = await saveAs();
  if ("problem" in offered) {
    // VS Code cuts off a notification without a button after one line.
    const open = found ? vscode.l10n.t("Open Test File") : vscode.l10n.t("Open Flow");
    if ((await warn(offered.problem, open)) !== open) return;
    await vscode.window.showTextDocument(found ?? (await vscode.workspace.openTextDocument(flow)), textColumn());
    return;
  }
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t("Save Run as Test"),
    prompt: vscode.l10n.t("Name of the test"),
    value: offered.name,
    ignoreFocusOut: true,
    validateInput: async (value) => {
      if (value.trim() === "") return vscode.l10n.t("Enter a name.");
      const { saved } = await saveAs(value.trim());
      return "problem" in saved ? saved.problem : undefined;
    },
  });
  if (name === undefined) return;
  const { existing, version, saved } = await saveAs(name.trim());
  if ("problem" in saved) return void showError(saved.problem);
  const edit = new vscode.WorkspaceEdit();
  if (existing) {
    const whole = new vscode.Range(new vscode.Position(0, 0), existing.positionAt(existing.getText().length));
    edit.replace(file, whole, saved.text);
  } else edit.createFile(file, { contents: Buffer.from(saved.text) });
  if (existing?.version !== version || !(await vscode.workspace.applyEdit(edit)))
    return void showError(vscode.l10n.t("Couldn't write the test. The file changed meanwhile."));
  const document = await vscode.workspace.openTextDocument(file);
  await document.save();
  onSaved(saved.name);
  const open = vscode.l10n.t("Open Test");
  if ((await inform(vscode.l10n.t('Saved as test "{0}".', saved.name), open)) !== open) return;
  const editor = await vscode.window.showTextDocument(document, textColumn());
  const at = document.positionAt(Math.max(0, document.getText().lastIndexOf(saved.name)));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at));
}

function testNameFor(flow: vscode.Uri): string {
  const name = flow.path.split("/").at(-1) ?? "flow";
  return `${name.replace(/(\.flow)?\.ya?ml$/, "")}.flowtest.yaml`;
}
