/** The double-click interval of common operating systems. */
const DOUBLE_CLICK_MS = 500;

/**
 * Recognizes the second half of a double click on a command of rows. It must not run the command twice, or on the next
 * row, which may have moved under the pointer.
 */
export class DoubleClicks {
  #last: { readonly target: unknown; readonly at: number } | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  /** Whether to ignore this call. `target` is a row, or the ID that a page or code lens passes. */
  isSecond(target: unknown): boolean {
    if (target === undefined || target === null) return false;
    const at = this.now();
    const last = this.#last;
    this.#last = { target, at };
    if (!last || at - last.at >= DOUBLE_CLICK_MS) return false;
    // An ID doesn't change under the pointer.
    return typeof target === "object" || target === last.target;
  }

  /** The next call is another action, such as after an undo. */
  forget(): void {
    this.#last = undefined;
  }
}
