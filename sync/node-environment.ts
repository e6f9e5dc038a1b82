/** The sync environment in Node: a state folder on disk, the system clock, and processes of this machine. */
import {
  appendPrivate,
  createPrivate,
  createWhole,
  flushFolder,
  isPrivateFolder,
  privateFolder,
  readPrivate,
} from "../files";
import { hostname, open, path, realpathSync, rename, rm } from "../system";
import type { Clock, Remote, Storage, SyncEnvironment } from "./environment";

export function nodeEnvironment(remote: Remote, stateDir: string): SyncEnvironment {
  return {
    remote,
    storage: new FolderStorage(stateDir),
    clock: systemClock,
    random: Math.random,
    process: `${hostname()}:${process.pid}`,
    isGone,
  };
}

/** The canonical name of a file, with symbolic links resolved. */
export function fileNamed(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // The file was moved or removed; its folder may still exist.
    const folder = path.dirname(file);
    return folder === file ? file : path.join(fileNamed(folder), path.basename(file));
  }
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
    }),
};

/** Only processes of this machine can be checked. */
function isGone(name: string): boolean {
  const [host, pid] = [name.slice(0, name.lastIndexOf(":")), Number(name.slice(name.lastIndexOf(":") + 1))];
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

export class FolderStorage implements Storage {
  #made: Promise<unknown> | undefined;

  constructor(private readonly folder: string) {}

  /** Never reads files that another user could have created: their content decides what is pushed. */
  async read(name: string): Promise<string | undefined> {
    return (await isPrivateFolder(this.folder)) ? readPrivate(this.#path(name)) : undefined;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#ready();
    await createPrivate(this.#path(name), text);
  }

  append(name: string, text: string, length: number): Promise<boolean> {
    return appendPrivate(this.#path(name), text, length);
  }

  async flush(name: string): Promise<void> {
    const handle = await open(this.#path(name), "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.#path(from), this.#path(to));
  }

  flushFolder(): Promise<void> {
    return flushFolder(this.folder);
  }

  async create(name: string, text: string): Promise<boolean> {
    await this.#ready();
    return createWhole(this.#path(name), text, { private: true });
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  #ready(): Promise<unknown> {
    this.#made ??= privateFolder(this.folder).catch((error) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  #path(name: string): string {
    return path.join(this.folder, name);
  }
}
