/**
 * A world in which nothing stays: what is on disk is read, what is written is forgotten. Whoever only looks at a flow does so
 * beside the window that syncs it, without its lock and without a trace on this disk.
 */
import type { Storage, SyncEnvironment } from "../environment";

export function lookOnly(world: SyncEnvironment): SyncEnvironment {
  return { ...world, storage: new Overlay(world.storage) };
}

class Overlay implements Storage {
  readonly #written = new Map<string, string | undefined>();

  constructor(private readonly disk: Storage) {}

  async read(name: string): Promise<string | undefined> {
    return this.#written.has(name) ? this.#written.get(name) : this.disk.read(name);
  }

  async write(name: string, text: string): Promise<void> {
    this.#written.set(name, text);
  }

  async append(name: string, text: string, length: number): Promise<boolean> {
    const before = this.#written.get(name);
    if (before === undefined || Buffer.byteLength(before) !== length) return false;
    this.#written.set(name, before + text);
    return true;
  }

  async flush(): Promise<void> {}

  async flushFolder(): Promise<void> {}

  async rename(from: string, to: string): Promise<void> {
    this.#written.set(to, await this.read(from));
    this.#written.set(from, undefined);
  }

  /** The locks of others do not count here. */
  async create(name: string, text: string): Promise<boolean> {
    if (this.#written.get(name) !== undefined) return false;
    this.#written.set(name, text);
    return true;
  }

  async remove(name: string): Promise<void> {
    this.#written.set(name, undefined);
  }
}
