/** Repeats a task after changes. */
import type * as vscode from "vscode";

/** Changes within this time, such as the parts of one edit, count as one. */
const GATHER_MS = 15;

/**
 * Runs one task at a time. Changes during a run cause one more run, so slow tasks don't queue up behind fast typing.
 */
export class Rerunner implements vscode.Disposable {
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
      // Retry after a failure only if something changed meanwhile.
      if (this.#isStale) this.soon();
    }
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#pending);
  }
}
