/**
 * Retry delays: exponential, with jitter, and at least what the platform asked for. At most a minute, because the unit
 * of the platform's hint isn't documented.
 */
import { type Backoff, backoff } from "../platform";
import type { Clock } from "./environment";

const WAITS: Backoff = { baseMs: 1_000, maxMs: 60_000, spread: 0.5 };

export class Retry {
  #tries = 0;

  constructor(private readonly random: () => number) {}

  next(hintMs?: number): number {
    return backoff(WAITS, ++this.#tries, this.random, hintMs);
  }

  reset(): void {
    this.#tries = 0;
  }
}

/** Allows at most three tries in any minute, for retries that our own requests may trigger. */
export class Tries {
  #used: number[] = [];

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Uses one try; false if there is none left. */
  take(): boolean {
    const now = this.clock.now();
    this.#used = this.#used.filter((at) => now - at < PER_MS);
    if (this.#used.length >= MAX_TRIES) return false;
    this.#used.push(now);
    return true;
  }

  refill(): void {
    this.#used = [];
  }
}

const MAX_TRIES = 3;
const PER_MS = 60_000;
