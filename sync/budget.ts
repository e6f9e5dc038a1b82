/**
 * The time and the requests of one attempt. Each answered batch is progress and gives it more time; without any, everything
 * it asks of the platform together takes no longer than one wait. Who waits longer than a moment is told.
 */
import { noAnswer } from "./sentences";
import type { World } from "./world";

/** So long an attempt waits for answers without any progress. */
export const NO_ANSWER_MS = 30_000;
/** After so long a person is told that the platform is waited for. */
export const SAY_WAITING_MS = 3_000;
/** Requests of an attempt beyond the batches of its plan: looks, and batches that were overtaken. */
export const REQUESTS_BEYOND_PLAN = 40;

export class Budget {
  #until: number;
  #left = REQUESTS_BEYOND_PLAN;

  constructor(
    private readonly world: Pick<World, "clock">,
    private readonly closing: AbortSignal,
    public onWait: () => void,
  ) {
    this.#until = world.clock.now() + NO_ANSWER_MS;
  }

  /** A plan goes out: its batches are paid for. */
  allow(batches: number): void {
    this.#left += batches;
  }

  progressed(): void {
    this.#until = this.world.clock.now() + NO_ANSWER_MS;
  }

  /** Asks the platform something; `otherwise` is the answer when the time is up. */
  async ask<T>(request: (signal: AbortSignal) => Promise<T>, otherwise: (message: string) => T): Promise<T> {
    const { clock } = this.world;
    const left = this.#until - clock.now();
    if (left <= 0 || this.#left-- <= 0) return otherwise(noAnswer(NO_ANSWER_MS));
    const over = new AbortController();
    const asked = new AbortController();
    const stop = () => over.abort("no longer needed");
    this.closing.addEventListener("abort", stop);
    const wait = async (ms: number, act: () => void) => {
      await clock.sleep(ms, asked.signal);
      if (!asked.signal.aborted && !this.closing.aborted) act();
    };
    void wait(SAY_WAITING_MS, () => this.onWait());
    const tooLate = new Promise<T>((resolve) => {
      void wait(left, () => {
        stop();
        resolve(otherwise(noAnswer(NO_ANSWER_MS)));
      });
    });
    try {
      return await Promise.race([request(over.signal), tooLate]);
    } finally {
      asked.abort("answered");
      this.closing.removeEventListener("abort", stop);
    }
  }
}
