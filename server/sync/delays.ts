/** Debounces work: each named piece runs a while after it was last requested. */
export class Delays {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly ms: number) {}

  start(name: string, work: () => void): void {
    clearTimeout(this.#timers.get(name));
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      work();
    }, this.ms);
    this.#timers.set(name, timer);
  }

  end(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
