/** Asks the user for details of a graph edit. */
import * as vscode from "vscode";
import { type GraphEdit, nodeTypeNames } from "../../server/messages";
import type { GraphEditKind } from "./messages";

/**
 * Asks for a name, type, or condition that the graph doesn't know. Undefined if the user cancels. Validates the edit
 * while the user types.
 */
export async function askForNames(
  edit: GraphEditKind,
  problemOf: (edit: GraphEdit) => Promise<string | undefined>,
): Promise<GraphEdit | undefined> {
  if (edit.kind === "rename") {
    const name = await vscode.window.showInputBox({
      ignoreFocusOut: true,
      title: vscode.l10n.t('Rename "{0}"', edit.id),
      value: edit.id,
      prompt: vscode.l10n.t("New ID (updates all references)"),
      validateInput: (name) => (name === edit.id ? undefined : problemOf({ ...edit, name })),
    });
    return name === undefined || name === edit.id ? undefined : { ...edit, name };
  }
  if (edit.kind === "add-after") {
    const type = await vscode.window.showQuickPick(nodeTypeNames, {
      ignoreFocusOut: true,
      title: vscode.l10n.t('Add Node after "{0}"', edit.id),
      placeHolder: vscode.l10n.t("Node type"),
    });
    const name =
      type &&
      (await vscode.window.showInputBox({
        ignoreFocusOut: true,
        title: vscode.l10n.t('Add Node after "{0}"', edit.id),
        prompt: vscode.l10n.t("Node ID"),
        placeHolder: "ask_for_date",
        validateInput: (name) =>
          name.trim() === "" ? vscode.l10n.t("Enter an ID.") : problemOf({ ...edit, type, name }),
      }));
    return type && name ? { ...edit, type, name } : undefined;
  }
  if (edit.kind === "connect") {
    const connected = (when: string) => ({ ...edit, ...(when.trim() === "" ? {} : { when: when.trim() }) });
    const needsCondition = (await problemOf(connected(""))) !== undefined;
    const when = await vscode.window.showInputBox({
      ignoreFocusOut: true,
      title: vscode.l10n.t('Connect "{0}" to "{1}"', edit.from, edit.to),
      prompt: needsCondition ? vscode.l10n.t("Condition") : vscode.l10n.t("Condition (empty for the default edge)"),
      placeHolder: vscode.l10n.t("the caller asks about a bill"),
      validateInput: (when) => problemOf(connected(when)),
    });
    return when === undefined ? undefined : connected(when);
  }
  return edit;
}
