/** Reads file history from the Git that VS Code has: its Git extension, or the one that opens repositories without a clone. */
import * as vscode from "vscode";
import { hasProcesses, isFileUri } from "../system";
import { virtualRepositoryOf } from "./virtual-repository";

/** The part of the Git extension's API that is used here. */
interface GitApi {
  readonly state: "uninitialized" | "initialized";
  readonly onDidChangeState: vscode.Event<string>;
  getRepository(uri: vscode.Uri): GitRepository | null;
}

export interface GitRepository {
  readonly state: {
    readonly onDidChange: vscode.Event<void>;
    readonly indexChanges?: readonly {
      readonly originalUri: vscode.Uri;
      readonly renameUri?: vscode.Uri | undefined;
    }[];
  };
  getRefs(query: object): Promise<readonly { readonly name?: string; readonly type: number }[]>;
  getCommit(revision: string): Promise<{ readonly hash: string }>;
  show(revision: string, path: string): Promise<string>;
  /** Rejects a path that the revision doesn't have with a code of its own, which `show` doesn't. */
  getObjectDetails(revision: string, path: string): Promise<unknown>;
}

/** Explains in a message why a file has no history. */
export async function whyNoHistory(file: vscode.Uri): Promise<string> {
  const isEnabled = vscode.workspace.getConfiguration("git", file).get<boolean>("enabled") ?? true;
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean }>("vscode.git");
  if (!extension)
    return hasProcesses
      ? vscode.l10n.t("VS Code's Git extension is disabled.")
      : vscode.l10n.t("Git isn't available for this folder.");
  if (!isEnabled) return vscode.l10n.t("Git is disabled in the settings (git.enabled).");
  // Without a Git program, the extension is active but not enabled.
  if (extension.isActive && !extension.exports.enabled)
    return vscode.l10n.t("VS Code can't find Git. Install it, or set git.path.");
  return (await isInClone(file))
    ? vscode.l10n.t("VS Code hasn't opened the file's Git repository. Open it in the Source Control view.")
    : vscode.l10n.t("The file isn't in a Git repository.");
}

/** Whether a folder above the file has a clone. VS Code asks before it opens one above the workspace, or of another user. */
async function isInClone(file: vscode.Uri): Promise<boolean> {
  for (let folder = file.path; folder !== ""; ) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    const isThere = await vscode.workspace.fs.stat(file.with({ path: `${folder}/.git` })).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

export async function repositoryOf(file: vscode.Uri): Promise<GitRepository | undefined> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>(
    "vscode.git",
  );
  if (!isFileUri(file.toString())) return undefined;
  const virtual = await virtualRepositoryOf(file);
  if (virtual || !extension) return virtual;
  const git = await extension.activate();
  if (!git.enabled) return undefined;
  const api = git.getAPI(1);
  if (api.state === "uninitialized")
    await new Promise<void>((resolve) => {
      const listener = api.onDidChangeState(() => {
        listener.dispose();
        resolve();
      });
    });
  return api.getRepository(file) ?? undefined;
}

/** Returns the file's text in a revision, also under its name before a staged rename; empty if it isn't there. */
export async function textIn(
  revision: string,
  file: vscode.Uri,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const repository = await repositoryOf(file);
  if (!repository) return { problem: await whyNoHistory(file) };
  // VS Code passes it to Git as an argument. A tag may be called `--output=x`, and Git would write to that file.
  const isOption = revision.startsWith("-");
  const commitOf = (name: string) => repository.getCommit(name).catch(() => undefined);
  const commit = isOption ? undefined : await commitOf(revision);
  if (!commit)
    return {
      problem: (await commitOf("HEAD"))
        ? vscode.l10n.t(
            'There is no revision "{0}" here. Fetch it first; a shallow clone needs its full history.',
            revision,
          )
        : vscode.l10n.t("The Git repository has no commits yet."),
    };
  const renamed = repository.state.indexChanges?.find(({ renameUri }) => renameUri?.toString() === file.toString());
  const read = (uri: vscode.Uri) => textAt(repository, commit.hash, uri.fsPath);
  try {
    return { text: (await read(file)) ?? (renamed && (await read(renamed.originalUri))) ?? "" };
  } catch (error) {
    return { problem: vscode.l10n.t("Git can't read the file: {0}", gitReason(error)) };
  }
}

/** Undefined if the commit doesn't have the file. */
async function textAt(repository: GitRepository, commit: string, path: string): Promise<string | undefined> {
  try {
    return await repository.show(commit, path);
  } catch (error) {
    const isThere = await repository.getObjectDetails(commit, path).then(
      () => true,
      (reason: { readonly gitErrorCode?: string }) => reason.gitErrorCode !== "UnknownPath",
    );
    if (isThere) throw error;
    return undefined;
  }
}

/** Git's own message explains more than the extension's. */
function gitReason(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message?: string };
  return stderr?.trim() || message || String(error);
}
