/** When a request is made again: only reads, only a few times, never all clients at once, and never after a cancel. */
import type { PlatformError, PlatformErrorKind } from "./errors";

export interface RetryPolicy {
  /** Requests in all, the first one included. */
  readonly attempts: number;
  /** The upper bound of the first wait; it doubles each time. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** A wait the platform asks for that is longer than this is the caller's business: the error tells how long it is. */
  readonly patienceMs?: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseMs: 250, maxMs: 60_000 };

const PASSING: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>([
  "network",
  "timeout",
  "reset",
  "rate-limited",
  "server",
  "unreadable",
]);

const FINAL: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>(["cancelled", "unauthorized"]);

/** The wait before the next request, or undefined where there should be none. `made` counts the requests so far. */
export function waitBeforeRetry(
  error: PlatformError,
  made: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (made >= policy.attempts || FINAL.has(error.kind)) return undefined;
  if (!(error.retryable ?? PASSING.has(error.kind))) return undefined;
  if ((error.retryAfterMs ?? 0) > (policy.patienceMs ?? Number.POSITIVE_INFINITY)) return undefined;
  return backoff({ ...policy, spread: 1 }, made, random, error.retryAfterMs);
}

export interface Backoff {
  /** The upper bound of the first wait; it doubles with each failure. */
  readonly baseMs: number;
  /** No wait is longer, whatever was asked for. */
  readonly maxMs: number;
  /** How much of the wait is left to chance: 0 is none of it, 1 is all. */
  readonly spread: number;
}

/**
 * The wait after so many failures. What the platform asks for comes first; the random part on top keeps clients from coming
 * back together.
 */
export function backoff(
  { baseMs, maxMs, spread }: Backoff,
  failures: number,
  random: () => number,
  askedMs = 0,
): number {
  const step = Math.min(maxMs, baseMs * 2 ** (failures - 1));
  return Math.min(maxMs, Math.max(askedMs, 0) + step * (1 - spread + spread * random()));
}

/** Rejects with the signal's reason when it is cancelled; the timer keeps no process alive on its own account. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
