/** The connection to the local sandbox. It exists only while a sandbox does. */
import * as vscode from "vscode";
import { confirm } from "../ui/notice";
import type { Session } from "./session";
import { temporaryId } from "./store";

/** The flows of the sandbox's demo, which are examples/support-line.flow.yaml and examples/billing.flow.yaml. */
const DEMO = {
  assistant: "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101",
  revision: "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102",
} as const;
const SECOND_DEMO = {
  assistant: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
  revision: "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002",
} as const;

type DemoLink = Partial<Record<keyof typeof DEMO, string>>;

export const SANDBOX = vscode.l10n.t("Local sandbox");

/** Whether the active connection is the local sandbox. */
export function usesSandbox({ connection }: Pick<Session, "connection">): boolean {
  return connection?.id === temporaryId(SANDBOX);
}

/**
 * The IDs to offer where the user is asked for them, because the platform's API can't list assistants: those of the
 * first demo flow that no other file is linked to. Empty if the active connection isn't the sandbox.
 */
export function freeDemoLink(session: Pick<Session, "connection">, isUsed: (revision: string) => boolean): DemoLink {
  if (!usesSandbox(session)) return {};
  return [DEMO, SECOND_DEMO].find(({ revision }) => !isUsed(revision)) ?? {};
}

/** Asks before a sandbox ends that has its data in memory. */
export async function confirmLoss(action: "stop" | "restart"): Promise<boolean> {
  const [question, button] =
    action === "stop"
      ? [vscode.l10n.t("Stop the local sandbox?"), vscode.l10n.t("Stop")]
      : [vscode.l10n.t("Restart the local sandbox?"), vscode.l10n.t("Restart")];
  const detail = vscode.l10n.t(
    "It keeps its data in memory only, so everything that was pushed to it or created there is lost. Your files don't change.",
  );
  return (await confirm(question, detail, button)) === button;
}
