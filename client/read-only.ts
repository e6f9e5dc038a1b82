/** Files that can't be saved: of a read-only file system, or marked as such by theirs. No fix is offered for them. */
import * as vscode from "vscode";
import { isWritable } from "./ui/workspace-files";

/** On a disk, a file without write permission can still be overwritten. */
export async function canBeSaved(uri: vscode.Uri): Promise<boolean> {
  if (!isWritable(uri)) return false;
  if (uri.scheme === "file" || uri.scheme === "untitled") return true;
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    return true; // The file doesn't exist yet.
  }
}

/** Removes the links to fixes from a hover: VS Code shows the links of untrusted Markdown as plain text. */
export function withoutFixLinks(hover: vscode.Hover | null | undefined): vscode.Hover | null | undefined {
  for (const content of hover?.contents ?? []) if (content instanceof vscode.MarkdownString) content.isTrusted = false;
  return hover;
}
