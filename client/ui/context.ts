/** Context keys, which the conditions of menus, welcome views and the walkthrough in the manifest read. */
import * as vscode from "vscode";

export function setContext(key: string, value: unknown): Thenable<void> {
  return vscode.commands.executeCommand("setContext", `assistantFlow.${key}`, value);
}
