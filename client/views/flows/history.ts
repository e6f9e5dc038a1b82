/** The history of a flow in the Flows view: the versions that were pushed or seen from this computer. */
import * as vscode from "vscode";
import type { SeenVersions, SeenVersionView } from "../../../server/environment-messages";
import { howSeen } from "../../environments";
import type { Row } from "../../ui/row";
import { ago, moment, plural } from "../../ui/words";

/** *Restore Version…* lists all of them, and can be searched. */
const MOST_VERSIONS = 50;

/** `show` is called when the row is opened and its versions are needed. */
export function historyRow(uri: vscode.Uri, seen: SeenVersions | undefined, now: number, show: () => void): Row {
  const id = `${uri.toString()}#history`;
  return {
    id,
    label: vscode.l10n.t("History"),
    description:
      seen && (seen.versions.length > 0 || seen.problem === undefined)
        ? plural(seen.versions.length, vscode.l10n.t("version"), vscode.l10n.t("versions"))
        : undefined,
    icon: "history",
    context: "history",
    requested: show,
    children: seen
      ? versionRows(uri, seen, now)
      : [{ id: `${id}/loading`, label: vscode.l10n.t("Loading…"), icon: "loading~spin" }],
  };
}

function versionRows(uri: vscode.Uri, { versions, problem }: SeenVersions, now: number): readonly Row[] {
  const id = `${uri.toString()}#history`;
  if (versions.length === 0)
    return [
      {
        id: `${id}/empty`,
        label: problem ?? vscode.l10n.t("No versions were pushed or seen from this computer."),
        icon: problem === undefined ? "info" : "warning",
      },
    ];
  const shown = versions.slice(0, MOST_VERSIONS).map((version) => versionRow(uri, version, now));
  if (versions.length <= MOST_VERSIONS) return shown;
  const older = {
    id: `${id}/older`,
    label: vscode.l10n.t("Older versions…"),
    description: (versions.length - MOST_VERSIONS).toLocaleString("en-US"),
    icon: "ellipsis",
    command: {
      command: "assistantFlow.restoreVersion",
      title: vscode.l10n.t("Restore Version…"),
      arguments: [uri],
    },
  };
  return [...shown, older];
}

function versionRow(uri: vscode.Uri, version: SeenVersionView, now: number): Row {
  const { at, by, environment, graph } = version;
  const row: Row = {
    id: `${uri.toString()}#version/${environment ?? ""}/${at}/${version.version}`,
    label: vscode.l10n.t("Version {0}", version.version),
    description: [environment, ago(at, now), howSeen(version)].filter(Boolean).join(" · "),
    icon: by === "push" ? "cloud-upload" : "cloud",
    context: "version",
    thing: version,
    copy: graph,
    facts: () => [
      [vscode.l10n.t("Time:"), moment(at, now)],
      [vscode.l10n.t("Origin:"), howSeen(version)],
      [vscode.l10n.t("Environment:"), environment],
      [vscode.l10n.t("Content:"), graph],
    ],
  };
  return {
    ...row,
    command: {
      command: "assistantFlow.compareVersion",
      title: vscode.l10n.t("Compare with File"),
      arguments: [row],
    },
  };
}
