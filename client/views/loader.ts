/**
 * One thing that is loaded again and again. Whoever asks while a load runs shares it; a load that is no longer needed is
 * cancelled; what was loaded last stays there while the next load runs and after it failed.
 */

import { isDeepStrictEqual } from "node:util";
import { l10n } from "vscode";

export class Loader<T> {
  #value: T | undefined;
  #problem: unknown;
  #running: { readonly promise: Promise<void>; readonly abort: AbortController } | undefined;
  readonly #changed: () => void;
  readonly #load: (signal: AbortSignal, partial: (value: T) => void) => Promise<T>;

  constructor(load: (signal: AbortSignal, partial: (value: T) => void) => Promise<T>, changed: () => void) {
    this.#load = load;
    this.#changed = changed;
  }

  get value(): T | undefined {
    return this.#value;
  }

  /** Why the last load failed; undefined after one that did not. */
  get problem(): unknown {
    return this.#problem;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the load that now runs is done, well or not; never rejects. */
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
      // What is drawn anew cannot be clicked for a moment: only what changed is.
      if (!(same && wasFine)) this.#changed();
    };
    const partial = (value: T) => {
      if (!isCurrent()) return;
      this.#value = value;
      this.#changed();
    };
    const promise = Promise.resolve()
      .then(() => this.#load(abort.signal, partial))
      .then(
        (value) => settle(value, undefined),
        (problem: unknown) => settle(undefined, problem ?? new Error(l10n.t("The load failed."))),
      );
    this.#running = { promise, abort };
    return promise;
  }

  /** Ends the load that runs; its result, should one still come, is thrown away. */
  cancel(): void {
    const running = this.#running;
    this.#running = undefined;
    running?.abort.abort();
  }

  /** Forgets everything, for another connection. */
  reset(): void {
    this.cancel();
    this.#value = undefined;
    this.#problem = undefined;
  }

  /** Puts another value in place, for what is known without asking. */
  set(value: T): void {
    this.#value = value;
    this.#problem = undefined;
    this.#changed();
  }
}
