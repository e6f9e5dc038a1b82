/**
 * How long to wait before the next try: longer each time, never all clients at once, and at least what was asked for. But
 * never more than a minute: the unit of the platform's hint is not documented.
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

/** At most three in any minute: for what may be set off by its own requests. */
export class Tries {
  #used: number[] = [];

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Whether there is one left; it is used then. */
  take(): boolean {
    const now = this.clock.now();
    this.#used = this.#used.filter((at) => now - at < EACH_MS);
    if (this.#used.length >= AT_ONCE) return false;
    this.#used.push(now);
    return true;
  }

  refill(): void {
    this.#used = [];
  }
}

const AT_ONCE = 3;
const EACH_MS = 60_000;
