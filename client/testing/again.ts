/** Work that is done again when something has changed. */
import type * as vscode from "vscode";

/** Changes that come together, such as those of one edit in several places, are one. */
const GATHER_MS = 15;

/** Once at a time: what changes meanwhile makes it once more, so that slow work doesn't pile up behind fast typing. */
export class Again implements vscode.Disposable {
  #pending: NodeJS.Timeout | undefined;
  #running = false;
  #isStale = false;
  #isOver = false;

  constructor(private readonly work: () => Promise<void>) {}

  soon(): void {
    if (this.#isOver) return;
    this.#isStale = true;
    if (this.#running) return;
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => void this.now(), GATHER_MS);
  }

  async now(): Promise<void> {
    this.#running = true;
    try {
      do {
        this.#isStale = false;
        await this.work();
      } while (this.#isStale && !this.#isOver);
    } finally {
      this.#running = false;
      // The work has failed, and what changed meanwhile may be the remedy.
      if (this.#isStale) this.soon();
    }
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#pending);
  }
}
