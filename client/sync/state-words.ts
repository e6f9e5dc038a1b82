/** A flow's sync in words for people, short for the status bar and in full for its hover. */
import type { FlowSyncState } from "../../server/messages";

/** `Synced v7, 2 blocking`. */
export function words(state: FlowSyncState): string {
  const blocking = state.blockingErrors ? `, ${state.blockingErrors} blocking` : "";
  const risk = state.risks > 0 ? ", check for overwrites" : "";
  return `${state.text.charAt(0).toUpperCase()}${state.text.slice(1)}${blocking}${risk}`;
}

export function blockingSentence(errors: number): string {
  return `${errors === 1 ? "1 error keeps" : `${errors} errors keep`} the flow from running.`;
}

export const ON_CONFLICT = "You and somebody else changed the same thing. Nothing is sent until you choose.";
const MOST_LISTED = 5;

/** What the words mean, one sentence or two for each matter. */
export function explanation(state: FlowSyncState): string[] {
  const { kind, message, conflicts, workflowEnabled, blockingErrors, risks, setAside } = state;
  return [
    kind === "synced" ? "The platform has what the saved file says." : kind === "conflict" ? ON_CONFLICT : message,
    ...conflicts.slice(0, MOST_LISTED).map((conflict) => conflict.message),
    conflicts.length > MOST_LISTED ? `And ${conflicts.length - MOST_LISTED} more.` : "",
    workflowEnabled === undefined ? "" : `The flow is switched ${workflowEnabled ? "on" : "off"} for this revision.`,
    blockingErrors ? blockingSentence(blockingErrors) : "",
    risks > 0
      ? "The platform moved by more than what was sent: somebody's change may lie under yours. Pull and compare."
      : "",
    setAside ?? "",
  ].filter((sentence) => sentence !== "");
}
