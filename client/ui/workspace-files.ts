/** Files of the workspace, read and written with the guards of `files/` where they are on this disk. */
import * as vscode from "vscode";
import { readText, writeWhole } from "../../files";

/** A named pipe called like a flow would be waited for forever by VS Code's own reading. */
export async function readWorkspaceText(uri: vscode.Uri): Promise<string> {
  return uri.scheme === "file"
    ? readText(uri.fsPath)
    : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
}

/** Never through a link that was laid at the place. */
export async function writeWorkspaceFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
  await (uri.scheme === "file" ? writeWhole(uri.fsPath, content) : vscode.workspace.fs.writeFile(uri, content));
}
