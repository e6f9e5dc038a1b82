/** A flow's sync in words for people, short for the status bar and in full for its hover. */
import type { FlowSyncState } from "../../server/messages";
import { IN_SYNC, ON_CONFLICT, POSSIBLE_OVERWRITE } from "../../sync/sentences";

/** `Synced v7, 2 blocking`. */
export function words(state: FlowSyncState): string {
  const blocking = state.blockingErrors ? `, ${state.blockingErrors} blocking` : "";
  const risk = state.risks > 0 ? ", possible overwrite" : "";
  return `${state.text.charAt(0).toUpperCase()}${state.text.slice(1)}${blocking}${risk}`;
}

export function blockingSentence(errors: number): string {
  return `${errors === 1 ? "1 error keeps" : `${errors} errors keep`} the flow from running.`;
}

const MOST_LISTED = 5;

/** What the words mean, one sentence or two for each matter. */
export function explanation(state: FlowSyncState): string[] {
  const { kind, message, conflicts, workflowEnabled, blockingErrors, risks, setAside } = state;
  return [
    kind === "synced" ? IN_SYNC : kind === "conflict" ? ON_CONFLICT : message,
    ...conflicts.slice(0, MOST_LISTED).map((conflict) => conflict.message),
    conflicts.length > MOST_LISTED ? `And ${conflicts.length - MOST_LISTED} more.` : "",
    workflowEnabled === undefined ? "" : `The flow is switched ${workflowEnabled ? "on" : "off"} for this revision.`,
    blockingErrors ? blockingSentence(blockingErrors) : "",
    risks > 0 ? POSSIBLE_OVERWRITE : "",
    setAside ?? "",
  ].filter((sentence) => sentence !== "");
}
