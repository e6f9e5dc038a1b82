/** The file and the user behind a sync session, as its host provides them. */
import type { Graph, Plan } from "../flow";
import type { GraphResult } from "../platform";
import type { Confirm, Expects } from "./consent";
import type { Known } from "./journal/journal";
import { asWritten } from "./normal-form/normal-form";
import type { Status } from "./state";

/** What a saved file says. */
export interface Target {
  readonly graph: Graph;
  /** How many local errors keep it from being sent. */
  readonly errors?: number;
  /** How many of them a graph of the platform does not have as well; missing where the file can't be read whole. */
  readonly errorsBeyond?: (held: Graph) => number;
  /** The plan from a graph to this one; the default has no places in the file. */
  readonly planFrom?: (from: Graph) => Plan;
}

/**
 * The errors of a file that the platform doesn't have itself. What it has is no reason to refuse a push: a file that was made of
 * its graph could never be pushed.
 */
export function errorsBeyond({ errors = 0, errorsBeyond: beyond }: Target, held: Known | undefined): number {
  return held && beyond ? beyond(asWritten(held.graph, held.pairs ?? [])) : errors;
}

/** The file and the person behind it. */
export interface SyncHost {
  /** The names of the file: the present one, then earlier ones whose move was seen. Consent is given to a file. */
  files(): readonly string[];
  /**
   * Makes the file say what `merge` makes of what it says now, unsaved text included, and saves it where nothing else
   * was unsaved. Returns what the saved file says then, or undefined where it could not be saved now.
   */
  mergeIntoFile(merge: (current: Graph) => Graph | undefined): Promise<Target | undefined>;
  /**
   * Compares the file on disk with what was last told, and tells the session (`save`) where another program has written it.
   * Called before anything is merged or sent: not every host has a file watcher, and none works in a stopped process.
   */
  refresh?(): Promise<void>;
  readonly confirm: Confirm;
  /** Where a plan was shown before: nothing but that is sent. */
  readonly expects?: Expects;
  statusChanged(status: Status): void;
  /** The platform's word on a batch, for its findings. */
  answered?(result: GraphResult): void;
  /** Something went wrong that has no words for people: for the log. */
  failed?(error: unknown): void;
}

/** The session was told what the file on disk says, or is closed: a host that is about to close it waits for its attempt. */
export async function refreshed(host: SyncHost, closing: AbortSignal): Promise<void> {
  if (!host.refresh || closing.aborted) return;
  const heard = new AbortController();
  const closed = new Promise<void>((resolve) =>
    closing.addEventListener("abort", () => resolve(), { signal: heard.signal }),
  );
  await Promise.race([host.refresh(), closed]).finally(() => heard.abort("refreshed"));
}
