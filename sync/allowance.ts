/**
 * The requests that one save may make, however many attempts it takes. Whatever the platform answers, a save ends: in a state
 * or in a wait for the user. Only a save, a push or a pull by the user starts over.
 */

import type { Remote } from "./environment";
import { tooManyRequests } from "./sentences";

/** Requests of one save beyond the batches of its plan: looks, and batches that were overtaken. */
export const REQUESTS_BEYOND_PLAN = 40;

export class Allowance {
  #left = REQUESTS_BEYOND_PLAN;
  #batches = 0;

  /** A plan goes out: its batches don't count, but each of them only once. */
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

  /** The same platform, asked no more often than is allowed. A request that never reached it doesn't count. */
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
