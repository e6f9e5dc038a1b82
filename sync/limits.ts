/**
 * What keeps sync from going on forever, whatever the platform answers: a limit of requests for each save, a time limit
 * for each attempt, and the delays between attempts.
 */
import { type Backoff, backoff } from "../platform";
import type { Clock, Remote } from "./environment";
import { noAnswer, tooManyRequests } from "./sentences";

/** Requests allowed per save in addition to the batches of its plan: reads, and batches that have to be resent. */
export const REQUESTS_BEYOND_PLAN = 40;

/** The requests of one save, over all of its attempts. A new text, and a save, push or pull by the user reset the limit. */
export class Allowance {
  #left = REQUESTS_BEYOND_PLAN;
  #batches = 0;

  /** Allows the batches of a plan in addition to the limit, each of them once. */
  allow(batches: number): void {
    this.#left += Math.max(0, batches - this.#batches);
    this.#batches = Math.max(batches, this.#batches);
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  refill(): void {
    this.#left = REQUESTS_BEYOND_PLAN;
    this.#batches = 0;
  }

  /**
   * Wraps a remote so that its requests count toward the limit. Requests that never reached the platform don't count.
   */
  limit(remote: Remote): Remote {
    return {
      send: async (...request) => {
        if (this.isUsedUp) return { kind: "not-sent", message: tooManyRequests(), reached: true };
        this.#left--;
        const answer = await remote.send(...request);
        if (answer.kind === "not-sent" || (answer.kind === "unknown" && !answer.reached)) this.#left++;
        return answer;
      },
      read: async (signal) => {
        if (this.isUsedUp) return { kind: "failed", message: tooManyRequests(), reached: true };
        this.#left--;
        const answer = await remote.read(signal);
        if (answer.kind === "failed" && !answer.reached) this.#left++;
        return answer;
      },
    };
  }
}

/** How long an attempt waits for answers without progress. */
export const NO_ANSWER_MS = 30_000;
/** How long to wait before showing that sync waits for the platform. */
export const SHOW_WAITING_AFTER_MS = 3_000;

/**
 * The time of one attempt. Each answered batch resets it; without progress all requests together may take
 * `NO_ANSWER_MS`. Only time spent waiting for the platform counts, not open questions or a slow disk. A wait longer
 * than `SHOW_WAITING_AFTER_MS` is shown.
 */
export class Budget {
  /** Milliseconds spent waiting for the platform since the last progress. */
  #waited = 0;

  constructor(
    private readonly environment: { readonly clock: Clock },
    private readonly closing: AbortSignal,
    public onWait: () => void,
  ) {}

  progressed(): void {
    this.#waited = 0;
  }

  /** Runs a request; `otherwise` is its result on timeout. */
  async ask<T>(request: (signal: AbortSignal) => Promise<T>, otherwise: (message: string) => T): Promise<T> {
    const { clock } = this.environment;
    const left = NO_ANSWER_MS - this.#waited;
    if (left <= 0) return otherwise(noAnswer(NO_ANSWER_MS));
    const over = new AbortController();
    const asked = new AbortController();
    const stop = () => over.abort("no longer needed");
    this.closing.addEventListener("abort", stop);
    const wait = async (ms: number, act: () => void) => {
      await clock.sleep(ms, asked.signal);
      if (!asked.signal.aborted && !this.closing.aborted) act();
    };
    void wait(SHOW_WAITING_AFTER_MS, () => this.onWait());
    const tooLate = new Promise<T>((resolve) => {
      void wait(left, () => {
        stop();
        resolve(otherwise(noAnswer(NO_ANSWER_MS)));
      });
    });
    const since = clock.now();
    try {
      return await Promise.race([request(over.signal), tooLate]);
    } finally {
      this.#waited += clock.now() - since;
      asked.abort("answered");
      this.closing.removeEventListener("abort", stop);
    }
  }
}

const MAX_TRIES = 3;
const PER_MS = 60_000;
const WAITS: Backoff = { baseMs: 1_000, maxMs: 60_000, spread: 0.5 };

/**
 * Retry delays: exponential, with jitter, and at least what the platform asked for. At most a minute, because the unit
 * of the platform's hint isn't documented.
 */
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
