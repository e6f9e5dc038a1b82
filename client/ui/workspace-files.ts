/** Reads and writes workspace files, with the safeguards of `files/` if they are on the local disk. */
import * as vscode from "vscode";
import { filesBelow, readText, writeWhole } from "../../files";
import { fileKind } from "../../flow/file-kind";
import { fileScheme, fileURLToPath, hasProcesses, isFileUri, pathToFileURL } from "../../system";
import { warn } from "./notice";

/** Rejects named pipes: VS Code's own read would wait on one forever. */
export async function readWorkspaceText(uri: vscode.Uri): Promise<string> {
  return uri.scheme === fileScheme
    ? readText(pathOf(uri))
    : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
}

/** Opens a document. Undefined if its file was deleted and there is no unsaved text. */
export async function openIfExists(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty || open?.isUntitled) return open;
  return (await exists(uri)) ? vscode.workspace.openTextDocument(uri) : undefined;
}

export function isUnsaved(uri: string): boolean {
  return vscode.workspace.textDocuments.some((each) => each.isDirty && each.uri.toString() === uri);
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Rejects anything but a regular file, such as a symbolic link. */
export async function writeWorkspaceFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
  await (uri.scheme === fileScheme ? writeWhole(pathOf(uri), content) : vscode.workspace.fs.writeFile(uri, content));
}

/** The path that `system/` has for a file; its URI if it isn't a file there. */
export function pathOf(uri: vscode.Uri): string {
  const text = uri.toString();
  return isFileUri(text) ? fileURLToPath(text) : text;
}

/** The URI of a path or URI. */
export function uriOfPath(name: string): vscode.Uri {
  return vscode.Uri.parse(/^[a-z][\w+.-]+:/i.test(name) ? name : pathToFileURL(name).href);
}

export const FLOW_PATTERN = "**/*.flow.{yaml,yml}";
export const TEST_PATTERN = "**/*.flowtest.{yaml,yml}";
export const PROJECT_PATTERN = "**/assistant-flow.project.yaml";

const patterns = { flow: FLOW_PATTERN, test: TEST_PATTERN, project: PROJECT_PATTERN };

/**
 * Finds the files of a kind in the workspace. In a browser folders are listed: VS Code's search waits there until some
 * extension can search the file system.
 */
export async function findFiles(kind: keyof typeof patterns, excluded: string, most?: number): Promise<vscode.Uri[]> {
  if (hasProcesses) return vscode.workspace.findFiles(patterns[kind], excluded, most);
  const isWanted = (name: string) => fileKind(name) === kind;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(folders.map(({ uri }) => filesBelow(pathOf(uri), isWanted, "readable")));
  return lists.flat().slice(0, most).map(uriOfPath);
}

/** Calls `changed` when a file that matches the pattern is created, changed or deleted. */
export function watchFiles(pattern: string, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const listeners = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete].map((listen) => listen(changed));
  return vscode.Disposable.from(watcher, ...listeners);
}

/** Whether files of this file system can be changed. Unknown ones may be. */
export function isWritable({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(scheme) ?? true;
}

/** Warns that a file can't be changed, if so. */
export function warnIfReadOnly(uri: vscode.Uri): boolean {
  if (isWritable(uri)) return false;
  void warn(vscode.l10n.t("{0} can't be changed: its folder is read-only.", vscode.workspace.asRelativePath(uri)));
  return true;
}

/** The column of an editor that shows the file; undefined if none does. */
export function columnOf(file: vscode.Uri): vscode.ViewColumn | undefined {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file.toString());
  return shown?.viewColumn;
}

/** The column that opens a document: next to a page such as the graph, not over it. */
export function textColumn(): vscode.ViewColumn {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return (activeTextEditor ? undefined : visibleTextEditors[0]?.viewColumn) ?? vscode.ViewColumn.Active;
}
