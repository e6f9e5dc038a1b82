/** How long to wait before the next try: longer each time, never all clients at once, never less than was asked for. */
import type { Clock } from "./world";

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

export class Retry {
  #tries = 0;

  constructor(private readonly random: () => number) {}

  next(hintMs = 0): number {
    const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#tries++);
    return Math.min(LONGEST_MS, Math.max(hintMs, 0) + step * (0.5 + this.random() / 2));
  }

  reset(): void {
    this.#tries = 0;
  }
}

/** A few tries, and one more each minute: for what may be set off by its own requests. */
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
