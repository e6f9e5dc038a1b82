/** The environments of a flow in the Flows view. */
import * as vscode from "vscode";
import type { EnvironmentState } from "../../../server/environment-messages";
import type { Row } from "../../ui/row";
import { plural } from "../../ui/words";

const looks: Readonly<Record<EnvironmentState["state"], { icon: string; color?: string; text: string }>> = {
  "in-step": { icon: "pass", text: vscode.l10n.t("synced") },
  ahead: { icon: "arrow-up", text: vscode.l10n.t("ahead") },
  behind: { icon: "arrow-down", color: "list.warningForeground", text: vscode.l10n.t("behind") },
  diverged: { icon: "git-compare", color: "list.warningForeground", text: vscode.l10n.t("diverged") },
  unknown: { icon: "question", text: vscode.l10n.t("unknown") },
};

const sentences: Readonly<Record<EnvironmentState["state"], string>> = {
  "in-step": vscode.l10n.t("The file and the platform match."),
  ahead: vscode.l10n.t("The file has changes that the platform doesn't have."),
  behind: vscode.l10n.t("The platform has changes that the file doesn't have."),
  diverged: vscode.l10n.t("The file and the platform have different changes, or no common version is known."),
  unknown: vscode.l10n.t("The platform couldn't be compared."),
};

/** Returns, for example, `staging synced`. */
export function shortState({ name, state }: EnvironmentState): string {
  return `${name} ${looks[state].text}`;
}

export function environmentRow(uri: vscode.Uri, environment: EnvironmentState): Row {
  const { name, url, isCurrent, isProtected, state, operations, reason } = environment;
  const { icon, color, text } = looks[state];
  const count = operations > 0 ? plural(operations, vscode.l10n.t("operation"), vscode.l10n.t("operations")) : "";
  const parts = [
    text,
    isProtected ? vscode.l10n.t("protected") : "",
    count,
    isCurrent ? vscode.l10n.t("this window") : "",
  ];
  return {
    id: `${uri.toString()}#environment/${name}`,
    label: name,
    description: parts.filter(Boolean).join(" · "),
    icon,
    color,
    context: "environment",
    facts: () => [
      [vscode.l10n.t("URL:"), url],
      [vscode.l10n.t("Sync:"), reason ?? sentences[state]],
      [vscode.l10n.t("Protected:"), isProtected ? vscode.l10n.t("Only a promotion changes it.") : undefined],
    ],
    command: {
      command: "assistantFlow.compareWithEnvironment",
      title: vscode.l10n.t("Compare with Environment"),
      arguments: [uri, name],
    },
  };
}
