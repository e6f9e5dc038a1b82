/** Writes a run down as a test beside its flow: one more in the file that is there, or a new file. */
import * as vscode from "vscode";
import { complain, inform } from "../ui/notice";

type Saved = { readonly text: string; readonly name: string } | { readonly problem: string };

export async function saveRunAsTest(
  flow: vscode.Uri,
  save: (flow: string, existing: string | undefined) => Saved | Promise<Saved>,
): Promise<void> {
  const file = vscode.Uri.joinPath(flow, "..", testNameFor(flow));
  const existing = await vscode.workspace.openTextDocument(file).then(
    (document) => document,
    () => undefined,
  );
  const version = existing?.version;
  const saved = await save(flow.path.split("/").at(-1) ?? "", existing?.getText());
  if ("problem" in saved) return void complain(saved.problem);
  const edit = new vscode.WorkspaceEdit();
  if (existing) {
    const whole = new vscode.Range(new vscode.Position(0, 0), existing.positionAt(existing.getText().length));
    edit.replace(file, whole, saved.text);
  } else edit.createFile(file, { contents: Buffer.from(saved.text) });
  if (existing?.version !== version || !(await vscode.workspace.applyEdit(edit)))
    return void complain(vscode.l10n.t("Couldn't write the test. The file changed meanwhile."));
  const document = await vscode.workspace.openTextDocument(file);
  await document.save();
  if (
    (await inform(vscode.l10n.t('Saved as test "{0}".', saved.name), vscode.l10n.t("Open Test"))) !==
    vscode.l10n.t("Open Test")
  )
    return;
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(Math.max(0, document.getText().lastIndexOf(saved.name)));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at));
}

function testNameFor(flow: vscode.Uri): string {
  const name = flow.path.split("/").at(-1) ?? "flow";
  return `${name.replace(/(\.flow)?\.ya?ml$/, "")}.flowtest.yaml`;
}
