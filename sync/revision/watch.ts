/** Waits for an asynchronous compile by reading the revision again, less and less often. */
import { type CompileResult, isFinal } from "../../flow/compile";
import { type PlatformClient, PlatformError, type WorkflowRevision } from "../../platform";
import type { Clock } from "../environment";

export interface CompileWatch {
  readonly clock: Clock;
  /** One read of the revision: its compile result, or why there is none. */
  read(signal: AbortSignal): Promise<CompileResult | "failed" | "unavailable">;
  /** How long to wait in all; 10 minutes by default. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

/** Reads a revision once. `seen` returns what is known of its compile then. */
export async function readCompile(
  client: Pick<PlatformClient, "getWorkflowRevision">,
  id: string,
  signal: AbortSignal,
  seen: (revision: WorkflowRevision) => CompileResult | undefined,
): ReturnType<CompileWatch["read"]> {
  try {
    const revision = await client.getWorkflowRevision(id, { signal });
    return signal.aborted ? "unavailable" : (seen(revision) ?? "failed");
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.isLasting ? "unavailable" : "failed";
  }
}

/**
 * - `final`: the compile succeeded or failed.
 * - `settled`: the platform keeps to a status that isn't known, or to a result with the same input hash.
 * - `unavailable`: the revision can't be read, and trying again won't help.
 */
export type WatchEnd = "final" | "settled" | "timed-out" | "unavailable" | "cancelled";

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
const LIMIT_MS = 10 * 60_000;
/** Within the default limit, in case a clock ends its sleeps early. */
const MAX_READS = 25;
/** After this many equal reads, a status isn't expected to change. */
const EQUAL_READS = 3;

/** `first` is the compile result in the answer to the push. */
export async function watchCompile(
  first: CompileResult | undefined,
  { clock, read, limitMs = LIMIT_MS, signal }: CompileWatch,
): Promise<WatchEnd> {
  if (first && isFinal(first)) return "final";
  const end = clock.now() + limitMs;
  let wait = FIRST_WAIT_MS;
  let last = "";
  let equal = 0;
  const maxReads = MAX_READS * Math.max(1, limitMs / LIMIT_MS);
  for (let reads = 0; reads < maxReads; reads++) {
    const left = end - clock.now();
    if (left <= 0) return "timed-out";
    await clock.sleep(Math.min(wait, left), signal);
    if (signal.aborted) return "cancelled";
    const result = await read(signal);
    if (signal.aborted) return "cancelled";
    if (result === "unavailable") return result;
    if (result !== "failed") {
      if (isFinal(result)) return "final";
      const isUnknown = result.state === "unknown" && (!result.isOutdated || result.isSameInput);
      const status = isUnknown ? `${result.version} ${result.status}` : "";
      equal = isUnknown && status === last ? equal + 1 : 1;
      last = status;
      if (isUnknown && equal >= EQUAL_READS) return "settled";
    }
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }
  return "timed-out";
}
