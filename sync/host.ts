/** What a sync session needs from its host: the file and the user's decisions. */
import type { Graph, Plan } from "../flow";
import type { GraphResult } from "../platform";
import type { Confirm, Expects } from "./consent";
import type { SeenVersion } from "./journal/history";
import type { Known } from "./journal/record";
import { asWritten } from "./normal-form/normal-form";
import type { Status } from "./state";

/** The content of a saved file. */
export interface Target {
  readonly graph: Graph;
  /** How many local errors prevent a push. */
  readonly errors?: number;
  /** How many of them aren't in a platform graph as well; missing if the file can't be parsed completely. */
  readonly errorsBeyond?: (held: Graph) => number;
  /** Plans from a graph to this one; the default has no positions in the file. */
  readonly planFrom?: (from: Graph) => Plan;
}

/**
 * The errors of a file that the platform's graph doesn't have. Errors already on the platform don't prevent a push:
 * otherwise a file created from its graph could never be pushed.
 */
export function errorsBeyond({ errors = 0, errorsBeyond: beyond }: Target, held: Known | undefined): number {
  return held && beyond ? beyond(asWritten(held.graph, held.pairs ?? [])) : errors;
}

/** The file and its user. */
export interface SyncHost {
  /** The file's current name, then its earlier ones: confirmation is given for a file and survives renames. */
  files(): readonly string[];
  /**
   * Applies `merge` to the file's current text, unsaved changes included, and saves it unless it had other unsaved
   * changes. Returns the saved content, or undefined if it couldn't be saved now.
   */
  mergeIntoFile(merge: (current: Graph) => Graph | undefined): Promise<Target | undefined>;
  /**
   * Calls `save` on the session if another program has changed the file on disk. Called before anything is merged or
   * sent: some hosts have no file watcher, and none works while the process is suspended.
   */
  refresh?(): Promise<void>;
  readonly confirm: Confirm;
  /** Set if a plan was shown before: nothing else is sent. */
  readonly expects?: Expects;
  statusChanged(status: Status): void;
  /** A version of the platform's graph was pushed or seen, for the history. */
  seen?(version: SeenVersion): void;
  /** The platform's response to a batch, for its findings. */
  answered?(result: GraphResult): void;
  /** Internal errors, for the log only. */
  failed?(error: unknown): void;
}

/**
 * Resolves when the host has refreshed the file or the session is closed: a host that closes it waits for its attempt.
 */
export async function refreshed(host: SyncHost, closing: AbortSignal): Promise<void> {
  if (!host.refresh || closing.aborted) return;
  const listening = new AbortController();
  const closed = new Promise<void>((resolve) =>
    closing.addEventListener("abort", () => resolve(), { signal: listening.signal }),
  );
  await Promise.race([host.refresh(), closed]).finally(() => listening.abort("refreshed"));
}
