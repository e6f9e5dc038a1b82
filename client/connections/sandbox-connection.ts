/** The connection to the local sandbox. It exists only while a sandbox does. */
import * as vscode from "vscode";
import type { Session } from "./session";
import { temporaryId } from "./store";

export const SANDBOX = vscode.l10n.t("Local sandbox");

/** Whether the active connection is the local sandbox. */
export function usesSandbox({ connection }: Pick<Session, "connection">): boolean {
  return connection?.id === temporaryId(SANDBOX);
}
