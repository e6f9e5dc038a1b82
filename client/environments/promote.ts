/** Promote and Check for Drift: both run the command of the same name. */
import * as vscode from "vscode";
import { type EnvironmentState, EnvironmentStatesRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Session } from "../connections";
import type { Server } from "../server";
import { inform, showError, warn, withNotice } from "../ui/notice";
import { plural } from "../ui/words";
import { findFiles, isUnsaved } from "../ui/workspace-files";
import { runHosted } from "./hosted-command";
import { enterKeyOf, type UsedUrls } from "./keys";
import { decide, type Reports } from "./reports";

export interface CommandParts {
  readonly server: Server;
  readonly session: Session;
  readonly reports: Reports;
  readonly urls: UsedUrls;
  /** The path of the bundled command line. */
  readonly cli: string;
}

/** Shows what a promotion changes in the target, and pushes exactly that after the user agreed. */
export async function promote(parts: CommandParts, uri: vscode.Uri): Promise<void> {
  const name = vscode.workspace.asRelativePath(uri);
  if (isUnsaved(uri.toString()))
    return void inform(vscode.l10n.t("Save {0} first. The file on disk is promoted.", name));
  const states = await comparing(name, () => ask(parts.server, EnvironmentStatesRequest, { uri: uri.toString() }));
  if (states.length < 2)
    return void inform(vscode.l10n.t("{0} isn't listed in two environments of assistant-flow.project.yaml.", name));
  const pair = await choosePair(name, states);
  if (!pair) return;
  for (const environment of [pair.from, pair.to]) {
    const { url } = environment;
    if (
      url !== undefined &&
      !parts.session.store.byUrl(url) &&
      !(await enterKeyOf(parts.session, environment, parts.urls))
    )
      return;
  }
  const [from, to] = [pair.from.name, pair.to.name];
  const report = vscode.l10n.t("Promote {0} to {1}.txt", from, to);
  let decided: "agreed" | "declined" | "nothing" | undefined;
  const confirm = async (text: string, operations: number, progress: Progress) => {
    if (operations === 0) {
      decided = "nothing";
      return false;
    }
    // The question covers the first lines.
    await parts.reports.show(report, `${vscode.l10n.t("Promote {0} to {1}", from, to)}\n\n\n\n${text}`);
    const title = vscode.l10n.t("Promote {0}: {1} → {2}", name, from, to);
    const count = plural(operations, vscode.l10n.t("operation"), vscode.l10n.t("operations"));
    const words = vscode.l10n.t('{0} for "{1}". Review the plan, then decide.', count, to);
    progress.report({ message: title });
    decided = (await decide(title, words, vscode.l10n.t('$(rocket) Promote to "{0}"', to))) ? "agreed" : "declined";
    if (decided === "agreed") progress.report({ message: vscode.l10n.t('Promoting {0} to "{1}"…', name, to) });
    return decided === "agreed";
  };
  const args = ["promote", "--from", from, "--to", to, "--yes", "--", uri.fsPath];
  const { code, out, err } = await comparing(name, (progress) =>
    runHosted(parts.cli, args, folderOf(uri), parts.session, {
      confirm: (text, operations) => confirm(text, operations, progress),
    }),
  );
  if (decided === "nothing") return void inform(vscode.l10n.t('"{0}" already matches {1}.', to, name));
  if (decided === "declined") return;
  if (code === 0 && decided === "agreed") return void inform(vscode.l10n.t('Promoted {0} to "{1}".', name, to));
  await parts.reports.show(report, [out, err].join(""));
  void warn(
    decided === "agreed"
      ? vscode.l10n.t('{0} wasn\'t promoted to "{1}" completely. The report has the reason.', name, to)
      : vscode.l10n.t('{0} isn\'t ready for "{1}". The report has the reasons. Nothing was promoted.', name, to),
  );
}

/** Compares all listed flows with all environments, and shows the differences. */
export async function checkDrift(parts: CommandParts): Promise<void> {
  const projects = await findFiles("project", "**/node_modules/**");
  if (projects.length === 0)
    return void inform(vscode.l10n.t("There is no assistant-flow.project.yaml in this workspace."));
  let text = "";
  let isFine = true;
  for (const project of projects) {
    const cwd = vscode.Uri.joinPath(project, "..").fsPath;
    const name = vscode.workspace.asRelativePath(project);
    const run = async (signal: AbortSignal) => {
      const result = await runHosted(parts.cli, ["drift", "--all"], cwd, parts.session, { signal });
      return signal.aborted ? undefined : result;
    };
    const result = await reported(name, withNotice(titleOf(name), run));
    if (!result) return; // The user cancelled.
    const { code, out, err } = result;
    isFine &&= code === 0;
    text += out + err;
  }
  if (isFine) return void inform(vscode.l10n.t("No drift: all environments match the files."));
  await parts.reports.show(vscode.l10n.t("Drift.txt"), text);
}

interface Pair {
  readonly from: EnvironmentState;
  readonly to: EnvironmentState;
}

/** Protected targets first, and the environment of this window as the source. */
async function choosePair(name: string, states: readonly EnvironmentState[]): Promise<Pair | undefined> {
  const pairs = states.flatMap((to) => states.filter((from) => from !== to).map((from) => ({ from, to })));
  const rank = ({ from, to }: Pair) => Number(to.isProtected) * 2 + Number(from.isCurrent);
  const rows = pairs
    .sort((a, b) => rank(b) - rank(a))
    .map((pair) => ({
      label: `$(rocket) ${pair.from.name} → ${pair.to.name}`,
      description: pair.to.isProtected ? vscode.l10n.t("protected") : "",
      pair,
    }));
  const title = vscode.l10n.t("Promote {0}", name);
  const placeHolder = vscode.l10n.t("Select what to promote. You see the plan before anything is sent.");
  return (await vscode.window.showQuickPick(rows, { title, placeHolder }))?.pair;
}

type Progress = vscode.Progress<{ message: string }>;

/** Shows the progress as a message: a title would stay when `run` reports another one. */
async function comparing<T>(name: string, run: (progress: Progress) => Promise<T>): Promise<T> {
  const work = vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, (progress) => {
    progress.report({ message: titleOf(name) });
    return run(progress);
  });
  return reported(name, work);
}

const titleOf = (name: string) => vscode.l10n.t("Comparing {0} with its environments…", name);

async function reported<T>(name: string, work: Thenable<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    void showError(vscode.l10n.t("{0} couldn't be compared. The log has the reason.", name));
    throw error;
  }
}

/** Tests and policies of the whole workspace folder count. */
function folderOf(uri: vscode.Uri): string {
  return (vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, "..")).fsPath;
}
