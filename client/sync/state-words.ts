/** Describes a flow's sync state, briefly for the status bar and in full for its hover. */
import { l10n } from "vscode";
import type { FlowSyncState } from "../../server/messages";
import { compileText, inSync, onConflict, possibleOverwrite, takeOver, waitsFor } from "../../sync/sentences";

/** Returns, for example, `Synced v7, 2 blocking`, or `Synced v7, compile failed`. */
export function words(state: FlowSyncState): string {
  const failed = isCompileFailed(state) ? l10n.t(", compile failed") : "";
  const blocking = state.blockingErrors ? l10n.t(", {0} blocking", state.blockingErrors) : "";
  const risk = state.risks > 0 ? l10n.t(", possible overwrite") : "";
  return `${state.text.charAt(0).toUpperCase()}${state.text.slice(1)}${failed}${blocking}${risk}`;
}

/** The state in a narrow row, without "pending". */
export function briefState({ kind, reason, text }: FlowSyncState): string {
  if (kind !== "pending" || reason === undefined) return text;
  if (reason === "asking") return l10n.t("waits for your answer");
  if (reason === "held") return l10n.t("synced by another window");
  return waitsFor[reason as keyof typeof waitsFor]();
}

/** Whether the platform couldn't compile the version that is synced. */
export function isCompileFailed({ kind, compile }: FlowSyncState): boolean {
  return kind === "synced" && compile?.state === "failed" && !compile.isOutdated;
}

export function blockingSentence(errors: number): string {
  return errors === 1
    ? l10n.t("1 error prevents the flow from running.")
    : l10n.t("{0} errors prevent the flow from running.", errors);
}

/** Undefined if the platform said nothing about a compile. */
export function compileWords({ compile }: FlowSyncState): string | undefined {
  return compile && compileText(compile);
}

const MOST_LISTED = 5;

/** Explains the state in full sentences. */
export function explanation(state: FlowSyncState): string[] {
  const { kind, reason, message, conflicts, workflowEnabled, blockingErrors, risks, setAside } = state;
  return [
    kind === "synced"
      ? inSync()
      : kind === "conflict"
        ? onConflict()
        : reason === "held"
          ? `${message} ${takeOver()}`
          : message,
    ...conflicts.slice(0, MOST_LISTED).map((conflict) => conflict.message),
    conflicts.length > MOST_LISTED ? l10n.t("And {0} more.", conflicts.length - MOST_LISTED) : "",
    compileWords(state) ?? "",
    workflowEnabled === undefined
      ? ""
      : workflowEnabled
        ? l10n.t("The flow is turned on for this revision.")
        : l10n.t("The flow is turned off for this revision: it is stored, but not executed."),
    blockingErrors ? blockingSentence(blockingErrors) : "",
    risks > 0 ? possibleOverwrite() : "",
    setAside ?? "",
  ].filter((sentence) => sentence !== "");
}
