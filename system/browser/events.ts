/** Node's `events` as the debug adapter's library uses it. The build puts it in its place. */
export class EventEmitter {
  readonly #listeners = new Map<string, ((...values: unknown[]) => void)[]>();

  on(name: string, listener: (...values: unknown[]) => void): this {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  emit(name: string, ...values: unknown[]): boolean {
    const listeners = this.#listeners.get(name) ?? [];
    for (const each of listeners) each.apply(this, values);
    return listeners.length > 0;
  }
}
