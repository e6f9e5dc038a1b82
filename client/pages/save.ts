/** Asks for a file name, saves what a page produced, and reports where. */
import * as vscode from "vscode";
import { inform } from "../ui/notice";
import { writeWorkspaceFile } from "../ui/workspace-files";

export interface Saving {
  /** As in "Save Call" and "Saved the call as …". */
  readonly what: string;
  /** Without its extension; may include a folder. */
  readonly suggested: vscode.Uri | undefined;
  readonly ending: string;
  readonly content: Uint8Array;
}

export async function saveAs({ what, suggested, ending, content }: Saving): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save {0}{1}", what.charAt(0).toUpperCase(), what.slice(1)),
    filters: { [ending.toUpperCase()]: [ending] },
    ...(suggested ? { defaultUri: suggested.with({ path: `${suggested.path}.${ending}` }) } : {}),
  });
  if (!target) return;
  await writeWorkspaceFile(target, content);
  const choice = await inform(
    vscode.l10n.t("Saved the {0} as {1}.", what, vscode.workspace.asRelativePath(target)),
    vscode.l10n.t("Open"),
  );
  if (choice === vscode.l10n.t("Open")) await vscode.commands.executeCommand("vscode.open", target);
}

/** Returns a path in the workspace for this name, which may be untrusted text. */
export function inWorkspace(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "export";
  return folder && vscode.Uri.joinPath(folder, safe);
}
