/**
 * Opens `vscode://assistant-flow.assistant-flow/open?file=flows/billing.flow.yaml&node=greet`, so that reports and
 * comments can link to a node. Any web page can open such a link, so it only shows a file of the workspace.
 */
import * as vscode from "vscode";
import { fileKind } from "../flow/file-kind";
import { warn } from "./ui/notice";

export function registerLinks(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.window.registerUriHandler({ handleUri: openLink }));
}

export async function openLink({ path, query }: vscode.Uri): Promise<void> {
  const parameters = new URLSearchParams(query);
  const file = parameters.get("file") ?? "";
  if (path !== "/open" || fileKind(file) === undefined)
    return void warn(vscode.l10n.t("This link isn't to a flow, test or policy file."));
  const uri = hasParentSegment(file) ? undefined : await inWorkspace(file);
  if (!uri) return void warn(vscode.l10n.t('"{0}" isn\'t in this workspace. Open its folder and try again.', file));
  const document = await vscode.workspace.openTextDocument(uri);
  const line = lineOfNode(document.getText(), parameters.get("node") ?? "");
  const start = new vscode.Position(line ?? 0, 0);
  const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Whether a path has "..", also if its file system would decode it: a path below a folder could leave the folder. */
function hasParentSegment(file: string): boolean {
  const decoded = file.replace(/%(?:25)*2e/gi, ".");
  return decoded.split(/[\\/]|%(?:25)*(?:2f|5c)/i).includes("..");
}

/** A path is relative to a folder of the workspace, or absolute and below one. */
async function inWorkspace(file: string): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const isAbsolute = file.startsWith("/") || /^[a-z]:[\\/]/i.test(file);
    const target = isAbsolute ? uri.with({ path: vscode.Uri.file(file).path }) : vscode.Uri.joinPath(uri, file);
    if (!vscode.workspace.getWorkspaceFolder(target)) continue;
    const exists = await vscode.workspace.fs.stat(target).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (exists) return target;
  }
  return undefined;
}

/** The 0-based line of a node's key: a direct child of `nodes`. */
function lineOfNode(text: string, node: string): number | undefined {
  const lines = text.split(/\r?\n/);
  const nodes = lines.findIndex((line) => /^nodes\s*:/.test(line));
  if (!node || nodes < 0) return undefined;
  const indentOf = (line: string) => line.length - line.trimStart().length;
  let indent: number | undefined;
  for (let at = nodes + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (/^\s*(?:#|$)/.test(line)) continue;
    indent ??= indentOf(line);
    if (indentOf(line) === 0 || indentOf(line) < indent) return undefined;
    const [, , key] = /^\s*(?!\s)(["']?)(.+?)\1(?<!\s)\s*:(?:\s|$)/.exec(line) ?? [];
    if (indentOf(line) === indent && key === node) return at;
  }
  return undefined;
}
