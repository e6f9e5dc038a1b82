/** Where a flow stands between its file and the platform, for status bars, logs and exit codes. */
import type { Conflict, ElementRef, Plan, PlannedOp } from "../flow";
import { t } from "../text";
import type { Refusal } from "./environment";
import type { OverwriteRisk } from "./journal/journal";
import { blockedBy, journalSetAside, unknownVersion, waiting, waitsFor } from "./sentences";

export type SyncState =
  /** The file names no revision, nobody has looked yet, or there is no connection to look by. */
  | { readonly kind: "unlinked"; readonly reason?: "no-connection"; readonly message: string }
  /** The file says what the platform has under this version. */
  | { readonly kind: "synced"; readonly version: number }
  /** Batch 0: nothing is sent yet. `waiting`: an answer is overdue. */
  | { readonly kind: "syncing"; readonly batch: number; readonly batches: number; readonly waiting?: true }
  /** The platform does not show its graph to a reader, and nobody has asked for a push or a pull. */
  | { readonly kind: "unknown"; readonly message: string }
  /** There is something to send, and it waits. */
  | {
      readonly kind: "pending";
      readonly reason: PendingReason;
      readonly message: string;
      readonly plan?: Plan;
      readonly retryAt?: number;
      /** The changes that the platform ignored. */
      readonly ignored?: readonly ElementRef[];
    }
  /** Nothing is sent until the file changes. */
  | {
      readonly kind: "blocked";
      readonly reason: keyof typeof blockedBy;
      readonly message: string;
      /** The platform's no, with the operations it speaks of: `opAtLoc(detail.loc, batch)`. */
      readonly refusal?: Refused;
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

/**
 * `offline`: it cannot be reached. `busy`: it answers, and asks to wait. `moving`: others change it faster than a push gets
 * through. `disk`: the state folder fails. `held`: another window syncs this flow. `asking`, `declined`: a person was asked.
 * `paused`: changed from outside the editor. `autosaved`: saved by the editor by itself. `manual`: nobody has asked to push it.
 * `ignored`: the platform answered the push and left things as they were; the next push sends it again.
 */
export type PendingReason = keyof typeof waitsFor;

/** The platform's no, and the batch it was said to. */
export interface Refused extends Refusal {
  readonly batch: readonly PlannedOp[];
  /** What the platform accepted and did not store. */
  readonly notStored?: readonly ElementRef[];
  /** What the platform answered as if all was well, and left as it was. */
  readonly notTaken?: readonly ElementRef[];
}

export interface Status {
  readonly state: SyncState;
  /** Every time a push may have overwritten a change, until somebody acknowledges it. */
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

/** What a conflict is about: the place, both values, and the edges that go with a node. A later value of any is another matter. */
export function conflictKey({ key, ours, theirs, uses }: Conflict): string {
  return JSON.stringify([key, ours, theirs, uses], (name, value) => (name === "source_span" ? undefined : value));
}

/** Said beside the state until the window is closed. */
export function setAsideText(setAside: string | undefined): string | undefined {
  return setAside === undefined ? undefined : journalSetAside(setAside);
}

/** A few words for a status bar. */
export function stateText(state: SyncState): string {
  switch (state.kind) {
    case "synced":
      return t("synced v{0}", state.version);
    case "unknown":
      return unknownVersion();
    case "syncing":
      if (state.waiting) return waiting();
      return state.batches > 1 ? t("syncing {0}/{1}", state.batch, state.batches) : t("syncing");
    case "diverged":
      return state.reason === "not-saved" ? t("merged, not saved") : t("platform has newer changes");
    case "pending":
      return t("pending ({0})", waitsFor[state.reason]());
    case "blocked":
      return t("blocked by {0}", blockedBy[state.reason]());
    case "conflict":
      return t("conflict");
    case "unlinked":
      return state.reason === "no-connection" ? t("not connected") : t("unlinked");
    case "unauthorized":
      return t("unauthorized");
  }
}
