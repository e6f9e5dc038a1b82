/** The files of VS Code's file systems, for code that expects those of Node. */
import * as vscode from "vscode";
import type { FileEntry, FileSource } from "../../system";

export const workspaceFiles: Required<FileSource> = {
  async stat(uri) {
    const found = await unlessGone(vscode.workspace.fs.stat(vscode.Uri.parse(uri)));
    return found && { kind: kindOf(found.type), size: found.size, modified: found.mtime };
  },
  async list(uri) {
    const found = await unlessGone(vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri)));
    return found?.map(([name, type]) => ({ name, kind: kindOf(type) }));
  },
  read: (uri) => unlessGone(vscode.workspace.fs.readFile(vscode.Uri.parse(uri))),
  createFolder: async (uri) => vscode.workspace.fs.createDirectory(vscode.Uri.parse(uri)),
  write: async (uri, content) => vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), content),
  rename: async (from, to) =>
    vscode.workspace.fs.rename(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: true }),
  remove: async (uri) => vscode.workspace.fs.delete(vscode.Uri.parse(uri)),
};

function kindOf(type: vscode.FileType): FileEntry["kind"] {
  if (type & vscode.FileType.SymbolicLink) return "link";
  if (type & vscode.FileType.Directory) return "folder";
  return type & vscode.FileType.File ? "file" : "other";
}

/** A file that is missing, or in a file system that doesn't exist. */
async function unlessGone<Result>(result: Thenable<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch {
    return undefined; // Callers only need to know that it can't be read.
  }
}
