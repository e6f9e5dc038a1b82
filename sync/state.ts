/** Where a flow stands between its file and the platform, for status bars, logs and exit codes. */
import type { Conflict, Plan, PlannedOp } from "../flow";
import type { OverwriteRisk } from "./journal";
import type { Refusal } from "./world";

export type SyncState =
  /** The file names no revision, or nobody has looked yet. */
  | { readonly kind: "unlinked"; readonly message: string }
  /** The file says what the platform has under this version. */
  | { readonly kind: "synced"; readonly version: number }
  /** Batch 0: nothing is sent yet. */
  | { readonly kind: "syncing"; readonly batch: number; readonly batches: number }
  /** There is something to send, and it waits. */
  | {
      readonly kind: "pending";
      readonly reason: PendingReason;
      readonly message: string;
      readonly plan?: Plan;
      readonly retryAt?: number;
    }
  /** Nothing is sent until the file changes. */
  | {
      readonly kind: "blocked";
      readonly reason: "local-errors" | "refused" | "claimed-twice";
      readonly message: string;
      /** The platform's no, with the operations it speaks of: `opAtLoc(detail.loc, batch)`. */
      readonly refusal?: Refusal & { readonly batch: readonly PlannedOp[] };
    }
  /** The file and the platform changed the same thing; `resolve` decides. */
  | {
      readonly kind: "conflict";
      readonly version: number;
      readonly conflicts: readonly Conflict[];
      /** What of the platform's changes merges into the file by itself once they are decided. */
      readonly merges?: Plan;
    }
  /** The platform has changes that the file has not taken in yet. */
  | {
      readonly kind: "diverged";
      /** They wait on the platform, or in the file, merged, until it is saved. */
      readonly reason: "not-taken-in" | "not-saved";
      readonly message: string;
      readonly incoming?: Plan;
    }
  | { readonly kind: "unauthorized"; readonly message: string };

export type PendingReason =
  | "offline"
  /** Another window syncs this flow. */
  | "held"
  /** A person was asked and said no, or has not answered. */
  | "asking"
  | "declined"
  /** The file was changed from outside its editor, as by a switch of branches. */
  | "paused"
  | "cancelled"
  /** Its editor saved it by itself: a person pushes it. */
  | "autosaved"
  /** Nobody has asked to send it. */
  | "manual";

export interface Status {
  readonly state: SyncState;
  /** Every time the platform moved by more than what was sent, until somebody acknowledges it. */
  readonly risks: readonly OverwriteRisk[];
  /** The name of a journal that could not be read and was set aside. */
  readonly setAside?: string;
}

export function pending(reason: PendingReason, message: string, plan?: Plan, retryAt?: number): SyncState {
  return {
    kind: "pending",
    reason,
    message,
    ...(plan ? { plan } : {}),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

const waitsFor: Record<PendingReason, string> = {
  offline: "offline",
  held: "another window",
  asking: "your answer",
  declined: "not sent",
  paused: "changed from outside",
  cancelled: "stopped",
  autosaved: "unpushed changes",
  manual: "not sent",
};

const blockedBy: Record<Extract<SyncState, { kind: "blocked" }>["reason"], string> = {
  "local-errors": "local errors",
  refused: "the platform",
  "claimed-twice": "a second file",
};

/** What was known is lost to sync but not to people; said beside the state until the window is closed. */
export function setAsideText(setAside: string | undefined): string | undefined {
  if (setAside === undefined) return undefined;
  return `What sync knew of this flow could not be read and is of no use any more (${setAside} in the state folder). The next push asks like a first one.`;
}

/** A few words for a status bar. */
export function stateText(state: SyncState): string {
  switch (state.kind) {
    case "synced":
      return `synced v${state.version}`;
    case "syncing":
      return state.batches > 1 ? `syncing ${state.batch}/${state.batches}` : "syncing";
    case "diverged":
      return state.reason === "not-saved" ? "merged, not saved" : "platform has newer changes";
    case "pending":
      return `pending (${waitsFor[state.reason]})`;
    case "blocked":
      return `blocked by ${blockedBy[state.reason]}`;
    default:
      return state.kind;
  }
}
