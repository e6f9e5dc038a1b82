/**
 * A repository that VS Code opens without a clone, as on github.dev. The extension that does this (Remote Repositories)
 * can't list branches, but it reads files of any revision: the authority of their URI names the revision.
 */
import * as vscode from "vscode";
import { readWorkspaceText } from "./ui/workspace-files";

const SCHEME = "vscode-vfs";
const EXTENSIONS = ["ms-vscode.remote-repositories", "GitHub.remoteHub", "GitHub.remoteHub-insiders"];

/** The part of the extension's API that is used here. */
interface RemoteRepositories {
  /** The file without local changes. */
  getProviderUri(uri: vscode.Uri): vscode.Uri;
}

/** How the extension numbers kinds of revisions. */
const [BRANCH, TAG, COMMIT] = [0, 1, 2] as const;

export async function virtualRepositoryOf(file: vscode.Uri) {
  if (file.scheme !== SCHEME) return undefined;
  const found = EXTENSIONS.map((id) => vscode.extensions.getExtension<RemoteRepositories>(id)).find(Boolean);
  const remote = await found?.activate();
  if (typeof remote?.getProviderUri !== "function") return undefined;
  const at = (uri: vscode.Uri, authority: string) => remote.getProviderUri(uri.with({ authority }));
  return {
    state: { onDidChange: (listener: () => void) => vscode.workspace.onDidSaveTextDocument(() => listener()) },
    getRefs: async () => [],
    async getCommit(revision: string) {
      if (revision === "HEAD") return { hash: file.authority };
      const [owner = "", name = ""] = file.path.split("/").slice(1);
      const repository = file.with({ path: `/${owner}/${name}` });
      for (const type of /^[0-9a-f]{40}$/.test(revision) ? [COMMIT] : [BRANCH, TAG, COMMIT]) {
        const authority = authorityOf(file, { type, id: revision });
        if (await isThere(at(repository, authority))) return { hash: authority };
      }
      throw new Error(`No revision ${revision}`);
    },
    show: (authority: string) => readWorkspaceText(at(file, authority)),
    // With the error code of VS Code's Git extension.
    async getObjectDetails(authority: string) {
      try {
        return await vscode.workspace.fs.stat(at(file, authority));
      } catch (error) {
        if ((error as { readonly code?: string }).code !== "FileNotFound") throw error;
        throw Object.assign(new Error("UnknownPath"), { gitErrorCode: "UnknownPath" });
      }
    },
  };
}

/** `github` becomes `github+<JSON in hexadecimal>`. */
function authorityOf({ authority }: vscode.Uri, ref: { readonly type: number; readonly id: string }): string {
  const [provider = ""] = authority.split("+");
  const bytes = new TextEncoder().encode(JSON.stringify({ v: 1, ref }));
  return `${provider}+${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
