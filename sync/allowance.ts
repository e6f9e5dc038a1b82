/**
 * Limits the requests that one save may cause, over all of its attempts, so that sync ends whatever the platform
 * answers. Only a save, push or pull by the user resets the limit.
 */

import type { Remote } from "./environment";
import { tooManyRequests } from "./sentences";

/** Requests allowed per save in addition to the batches of its plan: reads, and batches that have to be resent. */
export const REQUESTS_BEYOND_PLAN = 40;

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
