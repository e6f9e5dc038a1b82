/**
 * The sandbox's clock. It never runs backwards, not even across restarts, and can run faster than real time, so that a
 * call of several minutes takes seconds. Nothing waits on timers: calls, executions and compilations are planned at the
 * start, and their state is derived from `now()`.
 */
export class Clock {
  readonly #wall: () => number;
  readonly #speed: number;
  #anchorWall: number;
  #anchorTime: number;

  constructor(options: { readonly speed?: number; readonly wall?: () => number } = {}) {
    this.#speed = options.speed ?? 1;
    this.#wall = options.wall ?? Date.now;
    this.#anchorWall = this.#wall();
    this.#anchorTime = this.#anchorWall;
  }

  /** Sandbox time in milliseconds since 1970. */
  now(): number {
    return Math.floor(this.#anchorTime + (this.#wall() - this.#anchorWall) * this.#speed);
  }

  iso(): string {
    return isoTime(this.now());
  }

  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    const now = this.now();
    this.#anchorWall = this.#wall();
    this.#anchorTime = now + Math.max(0, milliseconds);
  }

  /** Ensures that no stored time is in the future. */
  startAfter(time: number): void {
    if (time > this.now()) this.advance(time - this.now());
  }
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
