/** Retries reads a few times, with random delays, and never after cancellation. */
import { PASSING, type PlatformError, type PlatformErrorKind } from "./errors";

export interface RetryPolicy {
  /** The maximum number of requests, including the first. */
  readonly attempts: number;
  /** The upper bound of the first delay; it doubles each time. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** If the platform asks for a longer delay, the error is returned to the caller instead. */
  readonly patienceMs?: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseMs: 250, maxMs: 60_000 };

const FINAL: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>(["cancelled", "unauthorized"]);

/** The delay before the next request, or undefined to stop. `made` is the number of requests so far. */
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
  /** The upper bound of the first delay; it doubles with each failure. */
  readonly baseMs: number;
  /** The maximum delay, whatever the platform asks for. */
  readonly maxMs: number;
  /** The random part of the delay, from 0 (none) to 1 (all). */
  readonly spread: number;
}

/**
 * The delay after a number of failures: at least what the platform asks for, plus a random part that keeps clients from
 * retrying at the same time.
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

/** Rejects with the signal's reason when aborted. */
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
