/** Versions of a flow: comparing them with the file, and restoring one as an edit that is then pushed as usual. */
import * as vscode from "vscode";
import { withoutFlowEnding } from "../../flow/file-kind";
import { type SeenVersionView, VersionsRequest, VersionTextRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Server } from "../server";
import { inform, warn } from "../ui/notice";
import { plural } from "../ui/words";
import { decide, type Reports } from "./reports";

/**
 * Puts the content of an earlier version into the editor; comments and names stay. Nothing is saved or pushed. Asks for
 * the version if none is given.
 */
export async function restoreVersion(
  server: Server,
  reports: Reports,
  uri: vscode.Uri,
  given: SeenVersionView | undefined,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const name = vscode.workspace.asRelativePath(uri);
  const chosen = given ?? (await chooseVersion(server, uri));
  if (!chosen || !(await compareVersion(server, reports, uri, chosen))) return;
  const { version, environment } = chosen;
  const title =
    environment === undefined
      ? vscode.l10n.t("Restore version {0} of {1}", version, name)
      : vscode.l10n.t('Restore version {0} of {1} from "{2}"', version, name, environment);
  const placeHolder = vscode.l10n.t("The content goes into the editor. Nothing is pushed until you save.");
  if (!(await decide(title, placeHolder, vscode.l10n.t("$(history) Restore Version {0}", version)))) return;
  // The text may have changed since.
  const current = await textWith(server, uri, chosen);
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  if (current !== null) edit.replace(uri, all, current);
  if (current === null || !(await vscode.workspace.applyEdit(edit)))
    return void warn(vscode.l10n.t("The file changed, so the edit wasn't applied. Try again."));
  await vscode.window.showTextDocument(document);
  void vscode.window.setStatusBarMessage(
    vscode.l10n.t("Version {0} is in the editor. Save to push it.", version),
    8000,
  );
}

async function chooseVersion(server: Server, uri: vscode.Uri): Promise<SeenVersionView | undefined> {
  const name = vscode.workspace.asRelativePath(uri);
  const { versions, problem } = await ask(server, VersionsRequest, { uri: uri.toString() });
  if (versions.length === 0) {
    if (problem !== undefined) void warn(`${name}: ${problem}`);
    else void inform(vscode.l10n.t("No versions of {0} were pushed or seen from this computer.", name));
    return undefined;
  }
  const row = await vscode.window.showQuickPick(versions.map(versionRow), {
    title: vscode.l10n.t("Versions of {0}", name),
    placeHolder: vscode.l10n.t("Select a version to compare with the file"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return row?.version;
}

/** Compares the file with a version. False, after a message to the user, if there is nothing to compare. */
export async function compareVersion(
  server: Server,
  reports: Reports,
  uri: vscode.Uri,
  seen: SeenVersionView,
): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  const name = vscode.workspace.asRelativePath(uri);
  const text = await textWith(server, uri, seen);
  if (text === null) void warn(vscode.l10n.t("{0} can't be changed automatically. Fix its syntax errors first.", name));
  else if (text === document.getText())
    void inform(vscode.l10n.t("{0} already has the content of version {1}.", name, seen.version));
  else {
    await showBeside(reports, uri, versionName(seen), text);
    return true;
  }
  return false;
}

/** The text of the file with the content of a version. Null if the file has syntax errors. */
function textWith(server: Server, uri: vscode.Uri, { graph, environment }: SeenVersionView): Promise<string | null> {
  const of = environment === undefined ? {} : { environment };
  return ask(server, VersionTextRequest, { uri: uri.toString(), version: graph, ...of });
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
  return {
    label: `$(${version.by === "push" ? "cloud-upload" : "cloud"}) ${vscode.l10n.t("Version {0}", version.version)}`,
    description: [version.environment, howSeen(version)].filter(Boolean).join(" · "),
    detail: new Date(version.at).toLocaleString(),
    version,
  };
}

/** Each environment counts its versions. */
export function versionName({ version, environment }: Pick<SeenVersionView, "version" | "environment">): string {
  return environment === undefined
    ? vscode.l10n.t("Version {0}", version)
    : vscode.l10n.t("Version {0} of {1}", version, environment);
}

/** Whether a version was pushed from this computer, and with how many operations. */
export function howSeen({ by, operations }: SeenVersionView): string {
  if (by !== "push") return vscode.l10n.t("seen on the platform");
  const count = plural(operations, vscode.l10n.t("operation"), vscode.l10n.t("operations"));
  return vscode.l10n.t("pushed from here, {0}", count);
}

/** The version of a row in the Flows view. */
export function versionOf(target: unknown): SeenVersionView | undefined {
  const { context, thing } = (target ?? {}) as { readonly context?: unknown; readonly thing?: unknown };
  return context === "version" ? (thing as SeenVersionView) : undefined;
}
