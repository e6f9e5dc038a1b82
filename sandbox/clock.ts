/**
 * The sandbox's own time. It never runs backwards, not even over a restart, and it can run faster than the wall clock so
 * that a call which takes minutes can be watched in seconds. Nothing in the sandbox waits on a timer: a call, an execution
 * or a compile is a plan made when it starts, and what is seen of it is the plan read at `now()`.
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

  /** Milliseconds since 1970 in sandbox time. */
  now(): number {
    return Math.floor(this.#anchorTime + (this.#wall() - this.#anchorWall) * this.#speed);
  }

  iso(): string {
    return isoTime(this.now());
  }

  /** Moves the time forward; the past stays the past. */
  advance(milliseconds: number): void {
    const now = this.now();
    this.#anchorWall = this.#wall();
    this.#anchorTime = now + Math.max(0, milliseconds);
  }

  /** Makes sure that nothing stored lies in the future. */
  startAfter(time: number): void {
    if (time > this.now()) this.advance(time - this.now());
  }
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
