/**
 * A sync environment that reads from disk but discards writes, for commands that only read a flow while another window
 * syncs it: they need no lock and leave nothing on disk.
 */
import type { Storage, SyncEnvironment } from "../environment";

export function lookOnly(environment: SyncEnvironment): SyncEnvironment {
  return { ...environment, storage: new Overlay(environment.storage) };
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

  replace(name: string, text: string): Promise<void> {
    return this.write(name, text);
  }

  async flush(): Promise<void> {}

  async flushFolder(): Promise<void> {}

  async rename(from: string, to: string): Promise<void> {
    this.#written.set(to, await this.read(from));
    this.#written.set(from, undefined);
  }

  /** Locks of other processes don't count here. */
  async create(name: string, text: string): Promise<boolean> {
    if (this.#written.get(name) !== undefined) return false;
    this.#written.set(name, text);
    return true;
  }

  async remove(name: string): Promise<void> {
    this.#written.set(name, undefined);
  }
}
