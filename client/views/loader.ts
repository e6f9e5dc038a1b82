/**
 * Loads a value repeatedly. Callers share a load in progress, loads can be cancelled, and the last value stays
 * available while loading and after a failure.
 */

import { l10n } from "vscode";
import { isDeepStrictEqual } from "../../system";

export class Loader<T> {
  #value: T | undefined;
  #problem: unknown;
  #running: { readonly promise: Promise<void>; readonly abort: AbortController } | undefined;

  constructor(
    private readonly loadNow: (signal: AbortSignal, partial: (value: T) => void) => Promise<T>,
    private readonly changed: () => void,
  ) {}

  get value(): T | undefined {
    return this.#value;
  }

  /** Why the last load failed; undefined if it succeeded. */
  get problem(): unknown {
    return this.#problem;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the current load has finished or failed; never rejects. */
  load(): Promise<void> {
    if (this.#running) return this.#running.promise;
    const abort = new AbortController();
    const isCurrent = () => this.#running?.abort === abort;
    const settle = (value: T | undefined, problem: unknown) => {
      if (!isCurrent()) return;
      const same = problem === undefined && isDeepStrictEqual(this.#value, value);
      const wasFine = this.#problem === undefined;
      if (problem === undefined && !same) this.#value = value;
      this.#problem = problem;
      this.#running = undefined;
      // Redraw only after a change: rows can't be clicked while they are redrawn.
      if (!(same && wasFine)) this.changed();
    };
    const partial = (value: T) => {
      if (!isCurrent()) return;
      this.#value = value;
      this.changed();
    };
    const promise = Promise.resolve()
      .then(() => this.loadNow(abort.signal, partial))
      .then(
        (value) => settle(value, undefined),
        (problem: unknown) => settle(undefined, problem ?? new Error(l10n.t("The load failed."))),
      );
    this.#running = { promise, abort };
    return promise;
  }

  /** Cancels the current load and discards its result. */
  cancel(): void {
    const running = this.#running;
    this.#running = undefined;
    running?.abort.abort();
  }

  /** Clears everything, after a change of connection. */
  reset(): void {
    this.cancel();
    this.#value = undefined;
    this.#problem = undefined;
  }

  /** Replaces the value after a local change, without loading. */
  set(value: T): void {
    this.#value = value;
    this.#problem = undefined;
    this.changed();
  }
}
