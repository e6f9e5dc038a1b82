/** Asks where to, writes what a page made, and says where it is now. */
import * as vscode from "vscode";
import { inform } from "../ui/notice";
import { writeWorkspaceFile } from "../ui/workspace-files";

export interface Saving {
  /** As in "Save Call" and "Saved the call as …". */
  readonly what: string;
  /** Without its ending; a folder may stand before it. */
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

/** A place in the workspace for a thing of this name; the name may be somebody else's text. */
export function inWorkspace(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "export";
  return folder && vscode.Uri.joinPath(folder, safe);
}
