/**
 * The state of sync in a browser: one database for all tabs of the site (IndexedDB), whose transactions are atomic and
 * flushed. While a tab's worker runs, it holds a lock with its name (Web Locks), which the browser releases when the
 * worker ends, however that happens.
 */
import { randomHex } from "../random";
import type { StateStore } from "../state-store";
import { FileError } from "./file-error";

/** The parts of IndexedDB and of Web Locks that are used; Node's types don't have them. */
export interface Databases {
  open(name: string, version: number): Request<Database> & { onupgradeneeded: (() => void) | null };
}

interface Request<Result> {
  readonly result: Result;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface Database {
  createObjectStore(name: string): unknown;
  transaction(store: string, mode: "readonly" | "readwrite", options: { readonly durability: "strict" }): Transaction;
  onversionchange: (() => void) | null;
  onclose: (() => void) | null;
  close(): void;
}

interface Transaction {
  readonly error: Error | null;
  objectStore(name: string): Files;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
  abort(): void;
}

interface Files {
  get(name: string): Request<File | undefined>;
  put(file: File, name: string): Request<unknown>;
  add(file: File, name: string): Request<unknown>;
  delete(name: string): Request<unknown>;
  getAll(): Request<File[]>;
  getAllKeys(): Request<string[]>;
}

interface File {
  readonly text: string;
  readonly changed: number;
}

export interface Locks {
  request(name: string, held: () => Promise<never>): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

declare const indexedDB: Databases;
declare const navigator: { readonly locks: Locks };

let own: StateStore | undefined;

export function browserState(): StateStore | undefined {
  own ??= new BrowserState(indexedDB, navigator.locks);
  return own;
}

const FILES = "files";

export class BrowserState implements StateStore {
  readonly process = `assistant-flow:${randomHex(16)}`;
  #present: Promise<void> | undefined;
  #opened: Promise<Database> | undefined;

  constructor(
    private readonly databases: Databases,
    private readonly locks: Locks,
  ) {}

  async read(name: string): Promise<string | undefined> {
    return (await this.#transact("readonly", (files) => done(files.get(name))))?.text;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#transact("readwrite", (files) => done(files.put(fileOf(text), name)));
  }

  replace(name: string, text: string): Promise<void> {
    return this.write(name, text);
  }

  async flush(): Promise<void> {} // Every transaction is flushed.

  async flushFolder(): Promise<void> {}

  async rename(from: string, to: string): Promise<void> {
    await this.#transact("readwrite", async (files) => {
      const file = await done(files.get(from));
      if (!file) throw new FileError("ENOENT", from);
      await done(files.put(file, to));
      await done(files.delete(from));
    });
  }

  create(name: string, text: string): Promise<boolean> {
    return this.#transact("readwrite", async (files) => {
      if (await done(files.get(name))) return false;
      await done(files.add(fileOf(text), name));
      return true;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#transact("readwrite", (files) => done(files.delete(name)));
  }

  async list(ending: string): Promise<string[]> {
    const [names, files] = await this.#transact("readonly", (all) =>
      Promise.all([done(all.getAllKeys()), done(all.getAll())]),
    );
    const dated = names.map((name, at) => ({ name, changed: files[at]?.changed ?? 0 }));
    const found = dated.filter(({ name }) => name.endsWith(ending)).sort((a, b) => b.changed - a.changed);
    return found.map(({ name }) => name);
  }

  async isGone(process: string): Promise<boolean> {
    const { held = [] } = await this.locks.query();
    return !held.some(({ name }) => name === process);
  }

  /** Resolves when the transaction has ended; if the work fails, nothing is changed. */
  async #transact<Result>(mode: "readonly" | "readwrite", work: (files: Files) => Promise<Result>): Promise<Result> {
    try {
      const transaction = (await this.#open()).transaction(FILES, mode, { durability: "strict" });
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const worked = work(transaction.objectStore(FILES)).catch((error) => {
        // A failed request has aborted it already.
        if (!transaction.error) transaction.abort();
        throw error;
      });
      return (await Promise.all([worked, ended]))[0];
    } catch (error) {
      if (error instanceof FileError) throw error;
      // With the codes of a disk, for which there are messages.
      throw new FileError((error as Error | null)?.name === "QuotaExceededError" ? "EDQUOT" : "EIO", "IndexedDB");
    }
  }

  #open(): Promise<Database> {
    this.#opened ??= this.#start().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #start(): Promise<Database> {
    // Before the first write, so that other tabs never find this worker's name without its lock.
    this.#present ??= hold(this.locks, this.process);
    await this.#present;
    const opening = this.databases.open("assistant-flow", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
    const database = await done(opening);
    const closed = () => {
      this.#opened = undefined;
    };
    database.onclose = closed;
    // Another tab deletes the database.
    database.onversionchange = () => {
      closed();
      database.close();
    };
    return database;
  }
}

/** Resolves when the lock is held, until this worker ends. */
function hold(locks: Locks, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = () => {
      resolve();
      return new Promise<never>(() => {});
    };
    locks.request(name, held).catch(reject);
  });
}

function fileOf(text: string): File {
  return { text, changed: Date.now() };
}

function done<Result>(request: Request<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
