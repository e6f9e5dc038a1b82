/** The sync state of a flow, for status bars, logs and exit codes. */
import type { Conflict, ElementRef, Plan, PlannedOp } from "../flow";
import { t } from "../text";
import type { Refusal } from "./environment";
import type { OverwriteRisk } from "./journal/record";
import { blockedBy, journalSetAside, unknownVersion, waiting, waitsFor } from "./sentences";

export type SyncState =
  /**
   * The file names no revision, or a syntax error hides it (`unreadable`), the state hasn't been read yet, there is no
   * connection (to its environment: `no-key`), or the project file doesn't say where the flow belongs.
   */
  | {
      readonly kind: "unlinked";
      readonly reason?: "unread" | "unreadable" | "no-connection" | "no-key" | "project";
      readonly message: string;
    }
  /** The file equals this version on the platform. */
  | { readonly kind: "synced"; readonly version: number }
  /** Batch 0: nothing is sent yet. `waiting`: an answer is overdue. */
  | { readonly kind: "syncing"; readonly batch: number; readonly batches: number; readonly waiting?: true }
  /** The platform doesn't return its graph to a read, and there was no push or pull. */
  | { readonly kind: "unknown"; readonly message: string }
  /** There are changes to push, and they wait. */
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
      /** The number of local errors. */
      readonly errors?: number;
      /** The rejection, with the operations it refers to: `opAtLoc(detail.loc, batch)`. */
      readonly refusal?: Refused;
    }
  /** The file and the platform changed the same thing; `resolve` decides. */
  | {
      readonly kind: "conflict";
      readonly version: number;
      readonly conflicts: readonly Conflict[];
      /** The platform changes that merge without conflict once the conflicts are decided. */
      readonly merges?: Plan;
    }
  /** The platform has changes that haven't been merged into the file. */
  | {
      readonly kind: "diverged";
      /** Whether they are only on the platform, or merged into the file and not saved. */
      readonly reason: "not-taken-in" | "not-saved";
      readonly message: string;
      readonly incoming?: Plan;
    }
  | { readonly kind: "unauthorized"; readonly message: string };

/**
 * `offline`: the platform can't be reached. `site`: it doesn't accept requests from the browser's site. `busy`: it answers, but asks to wait. `moving`: others change it faster
 * than a push completes. `disk`: the state folder fails. `held`: another window syncs this flow. `asking`, `declined`:
 * confirmation is needed. `paused`: changed outside the editor. `autosaved`: saved by the editor. `manual`: pushed only
 * on request. `ignored`: the platform answered the push but didn't apply it; the next push sends it again.
 */
export type PendingReason = keyof typeof waitsFor;

/** The platform's rejection, and the rejected batch. */
export interface Refused extends Refusal {
  readonly batch: readonly PlannedOp[];
  /** What the platform accepted but didn't store. */
  readonly notStored?: readonly ElementRef[];
  /** What the platform answered with success but didn't change. */
  readonly notTaken?: readonly ElementRef[];
}

export interface Status {
  readonly state: SyncState;
  /** Pushes that may have overwritten a change, until the user acknowledges them. */
  readonly risks: readonly OverwriteRisk[];
  /** The name of an unreadable journal that was set aside. */
  readonly setAside?: string;
  /** The user has confirmed a push of this file to this revision. */
  readonly isConfirmed?: boolean;
  /** The file and the platform agreed on a version before. */
  readonly hasBase?: boolean;
}

export function pending(reason: PendingReason, message: string, plan?: Plan, retryAt?: number): SyncState {
  return { kind: "pending", reason, message, plan, ...(retryAt === undefined ? {} : { retryAt }) };
}

/**
 * Identifies a conflict by its place, both values, and the edges that go with a node, so a decision doesn't apply to
 * later values.
 */
export function conflictKey({ key, ours, theirs, uses }: Conflict): string {
  return JSON.stringify([key, ours, theirs, uses], (name, value) => (name === "source_span" ? undefined : value));
}

/** The open conflicts, and the known ones that are decided. */
export function withDecided(
  open: readonly Conflict[],
  known: readonly Conflict[],
  choices: { has(conflict: string): boolean },
): readonly Conflict[] {
  const keys = new Set(open.map(({ key }) => key));
  return [...open, ...known.filter((each) => !keys.has(each.key) && choices.has(conflictKey(each)))];
}

/** Shown next to the state until the window is closed. */
export function setAsideText(setAside: string | undefined): string | undefined {
  return setAside === undefined ? undefined : journalSetAside(setAside);
}

/** A short text for a status bar. */
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
      return state.errors === 1 ? t("blocked by a local error") : t("blocked by {0}", blockedBy[state.reason]());
    case "conflict":
      return t("conflict");
    case "unlinked":
      if (state.reason === "project") return t("not synced (project file)");
      if (state.reason === "unreadable") return t("not synced (syntax errors)");
      if (state.reason === "unread") return t("not compared yet");
      return state.reason === undefined ? t("unlinked") : t("not connected");
    case "unauthorized":
      return t("unauthorized");
  }
}
