/**
 * Limits the time of one attempt. Each answered batch resets it; without progress all requests together may take
 * `NO_ANSWER_MS`. Only time spent waiting for the platform counts, not open questions or a slow disk. A wait longer
 * than `SHOW_WAITING_AFTER_MS` is shown.
 */

import type { SyncEnvironment } from "./environment";
import { noAnswer } from "./sentences";

/** How long an attempt waits for answers without progress. */
export const NO_ANSWER_MS = 30_000;
/** How long to wait before showing that sync waits for the platform. */
export const SHOW_WAITING_AFTER_MS = 3_000;

export class Budget {
  /** Milliseconds spent waiting for the platform since the last progress. */
  #waited = 0;

  constructor(
    private readonly environment: Pick<SyncEnvironment, "clock">,
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
