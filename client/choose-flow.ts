/** A flow for a command that was run without one: the only one of the workspace, or the one a person chooses. */
import * as vscode from "vscode";
import { inform } from "./ui/notice";

export const FLOW_PATTERN = "**/*.flow.{yaml,yml}";

export async function chooseFlow(title: string): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(FLOW_PATTERN, "**/node_modules/**", 2000);
  if (found.length === 0) {
    const choice = await inform(vscode.l10n.t("There is no flow in this workspace yet."), vscode.l10n.t("New Flow…"));
    if (choice) await vscode.commands.executeCommand("assistantFlow.newFlow");
    return undefined;
  }
  if (found.length === 1) return found[0];
  const rows = found
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (await vscode.window.showQuickPick(rows, { title, placeHolder: vscode.l10n.t("Select a flow") }))?.uri;
}
