/**
 * Polls while a view is visible: soon after a change, with backoff while nothing changes, and with more backoff after
 * failures.
 */

export type Outcome = "changed" | "same" | "failed";

/** The delay after a view becomes visible again. The first time, the view loads without the poller. */
const SOON_MS = 1000;

export class Poller {
  #visible = false;
  #wasShown = false;
  #busy = false;
  #handle: NodeJS.Timeout | undefined;
  #wait: number;

  constructor(
    private readonly ask: () => Promise<Outcome>,
    private readonly range: { readonly firstMs: number; readonly longestMs: number },
  ) {
    this.#wait = range.firstMs;
  }

  show(visible: boolean): void {
    this.#visible = visible;
    if (!visible) {
      this.#stop();
      return;
    }
    this.#wait = this.range.firstMs;
    if (!this.#busy) this.#plan(this.#wasShown ? Math.min(SOON_MS, this.#wait) : this.#wait);
    this.#wasShown = true;
  }

  /** Polls soon, after the user did something. */
  hurry(): void {
    this.#wait = this.range.firstMs;
    if (this.#visible && !this.#busy) this.#plan();
  }

  dispose(): void {
    this.#visible = false;
    this.#stop();
  }

  #plan(ms = this.#wait): void {
    this.#stop();
    this.#handle = setTimeout(() => void this.#turn(), ms);
  }

  #stop(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }

  async #turn(): Promise<void> {
    this.#handle = undefined;
    this.#busy = true;
    const outcome = await this.ask();
    this.#busy = false;
    const factor = { changed: 0, same: 1.5, failed: 2 }[outcome];
    this.#wait = Math.min(this.range.longestMs, Math.max(this.range.firstMs, this.#wait * factor));
    if (this.#visible) this.#plan();
  }
}
