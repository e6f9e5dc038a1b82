/** Gives a debug session its files as VS Code has them, including unsaved changes. */
import * as vscode from "vscode";
import type { DebugHost } from "../../debug";
import { FileScope } from "../../files";
import { ask } from "../../server/messages";
import { ToolsRequest } from "../../server/test-messages";
import { isFileUri } from "../../system";
import type { Server } from "../server";
import { pathOf, uriOfPath } from "../ui/workspace-files";

export function debugHost(folder: string, server: Server): DebugHost {
  return {
    cwd: folder,
    toolsFor: async (flow) => (await ask(server, ToolsRequest, { uri: uriOf(flow).toString() })) ?? undefined,
    textOf: async (file) =>
      openDocument(file)?.getText() ?? new FileScope([folder], folder).read(file).catch(() => undefined),
    watch(files, changed) {
      const known = new Set(files);
      const report = (uri: vscode.Uri) => {
        const file = pathOf(uri);
        if (known.has(file)) changed(file);
      };
      const watcher = vscode.workspace.createFileSystemWatcher("**/*.{flow,flowtest}.{yaml,yml}");
      return vscode.Disposable.from(
        watcher,
        watcher.onDidChange(report),
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
          if (contentChanges.length > 0) report(document.uri);
        }),
      );
    },
  };
}

export function uriOf(name: string): vscode.Uri {
  return openDocument(name)?.uri ?? uriOfPath(name);
}

/** Returns the folder in which components are looked up. */
export function folderOf(uri: vscode.Uri | undefined): string {
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder) return pathOf(folder.uri);
  return uri && isFileUri(uri.toString()) ? pathOf(vscode.Uri.joinPath(uri, "..")) : process.cwd();
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && pathOf(uri) === file);
}
