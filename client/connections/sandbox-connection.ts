/** The connection to the local sandbox. It exists only while a sandbox does. */
import * as vscode from "vscode";
import type { Session } from "./session";
import { temporaryId } from "./store";

/** The flow of the sandbox's demo, which is examples/support-line.flow.yaml. */
const DEMO = {
  assistant: "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101",
  revision: "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102",
} as const;

export const SANDBOX = vscode.l10n.t("Local sandbox");

/** Whether the active connection is the local sandbox. */
export function usesSandbox({ connection }: Pick<Session, "connection">): boolean {
  return connection?.id === temporaryId(SANDBOX);
}

/**
 * The IDs to offer where the user is asked for them, because the platform's API can't list assistants. Empty if the
 * active connection isn't the sandbox.
 */
export function demoLink(session: Pick<Session, "connection">): Partial<typeof DEMO> {
  return usesSandbox(session) ? DEMO : {};
}
