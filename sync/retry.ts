/** How long to wait before the next try: longer each time, never all clients at once, never less than was asked for. */

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

export class Retry {
  #tries = 0;

  constructor(private readonly random: () => number) {}

  next(hintMs = 0): number {
    const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#tries++);
    return Math.min(LONGEST_MS, Math.max(hintMs, 0) + step * (0.5 + this.random() / 2));
  }

  reset(): void {
    this.#tries = 0;
  }
}
