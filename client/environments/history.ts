/** Versions of a flow: comparing them with the file, and restoring one as an edit that is then pushed as usual. */
import * as vscode from "vscode";
import { withoutFlowEnding } from "../../flow/file-kind";
import { type SeenVersionView, VersionsRequest, VersionTextRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Server } from "../server";
import { inform, warn } from "../ui/notice";
import { plural } from "../ui/words";
import { decide, type Reports } from "./reports";

/** Puts the content of an earlier version into the editor; comments and names stay. Nothing is saved or pushed. */
export async function restoreVersion(server: Server, reports: Reports, uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const name = vscode.workspace.asRelativePath(uri);
  const versions = await ask(server, VersionsRequest, { uri: uri.toString() });
  if (versions.length === 0)
    return void inform(vscode.l10n.t("No versions of {0} were pushed or seen from this computer.", name));
  const row = await vscode.window.showQuickPick(versions.map(versionRow), {
    title: vscode.l10n.t("Versions of {0}", name),
    placeHolder: vscode.l10n.t("Select a version to compare with the file"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!row) return;
  const { version, graph, environment } = row.version;
  const textOf = () =>
    ask(server, VersionTextRequest, {
      uri: uri.toString(),
      version: graph,
      ...(environment === undefined ? {} : { environment }),
    });
  const text = await textOf();
  if (text === null)
    return void warn(vscode.l10n.t("{0} can't be changed automatically. Fix its syntax errors first.", name));
  if (text === document.getText())
    return void inform(vscode.l10n.t("{0} already has the content of version {1}.", name, version));
  const label = vscode.l10n.t("Version {0}", version);
  await showBeside(reports, uri, label, text);
  const title = vscode.l10n.t("Restore version {0} of {1}", version, name);
  const placeHolder = vscode.l10n.t("The content goes into the editor. Nothing is pushed until you save.");
  if (!(await decide(title, placeHolder, vscode.l10n.t("$(history) Restore Version {0}", version)))) return;
  // The text may have changed since.
  const current = await textOf();
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  if (current !== null) edit.replace(uri, all, current);
  if (current === null || !(await vscode.workspace.applyEdit(edit)))
    return void warn(vscode.l10n.t("The file changed, so the edit was not applied. Try again."));
  await vscode.window.showTextDocument(document);
  void vscode.window.setStatusBarMessage(
    vscode.l10n.t("Version {0} is in the editor. Save to push it.", version),
    8000,
  );
}

/** Compares the file with what an environment has now. */
export async function compareWith(
  server: Server,
  reports: Reports,
  uri: vscode.Uri,
  environment: string,
): Promise<void> {
  await vscode.workspace.openTextDocument(uri);
  const text = await ask(server, VersionTextRequest, { uri: uri.toString(), environment });
  if (text === null) return void inform(vscode.l10n.t('What "{0}" has can\'t be shown now.', environment));
  await showBeside(reports, uri, environment, text);
}

async function showBeside(reports: Reports, uri: vscode.Uri, label: string, text: string): Promise<void> {
  const name = vscode.workspace.asRelativePath(uri);
  const other = reports.uri(`${withoutFlowEnding(name)} (${label}).flow.yaml`, text);
  const title = vscode.l10n.t("{0} ({1} ↔ File)", name, label);
  await vscode.commands.executeCommand("vscode.diff", other, uri, title, { preserveFocus: true });
}

function versionRow(version: SeenVersionView): vscode.QuickPickItem & { readonly version: SeenVersionView } {
  const isPush = version.by === "push";
  const operations = plural(version.operations, vscode.l10n.t("operation"), vscode.l10n.t("operations"));
  const how = isPush ? vscode.l10n.t("pushed from here, {0}", operations) : vscode.l10n.t("seen on the platform");
  return {
    label: `$(${isPush ? "cloud-upload" : "cloud"}) ${vscode.l10n.t("Version {0}", version.version)}`,
    description: [version.environment, how].filter(Boolean).join(" · "),
    detail: new Date(version.at).toLocaleString(),
    version,
  };
}
