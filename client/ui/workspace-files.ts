/** Reads and writes workspace files, with the safeguards of `files/` if they are on the local disk. */
import * as vscode from "vscode";
import { readText, writeWhole } from "../../files";

/** Rejects named pipes: VS Code's own read would wait on one forever. */
export async function readWorkspaceText(uri: vscode.Uri): Promise<string> {
  return uri.scheme === "file"
    ? readText(uri.fsPath)
    : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
}

/** Rejects anything but a regular file, such as a symbolic link. */
export async function writeWorkspaceFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
  await (uri.scheme === "file" ? writeWhole(uri.fsPath, content) : vscode.workspace.fs.writeFile(uri, content));
}
