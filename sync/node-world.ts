/** The world as Node has it: a state folder on disk, the system's clock, the processes of this machine. */
import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Clock, Remote, Storage, World } from "./world";

export function nodeWorld(remote: Remote, stateDir: string): World {
  return {
    remote,
    storage: new FolderStorage(stateDir),
    clock: systemClock,
    random: Math.random,
    process: `${hostname()}:${process.pid}`,
    isGone,
  };
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

/** Only a process of this machine can be asked about. */
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

  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.#path(name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async write(name: string, text: string): Promise<void> {
    // Flows are nobody else's business on a shared machine.
    this.#made ??= mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#made;
    await writeFile(this.#path(name), text, { mode: 0o600 });
  }

  flush(name: string): Promise<void> {
    return flush(this.#path(name), "r+");
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.#path(from), this.#path(to));
  }

  async flushFolder(): Promise<void> {
    // Windows has no such thing and needs none: its renames are in the file system's own journal.
    if (process.platform !== "win32") await flush(this.folder, "r");
  }

  async create(name: string, text: string): Promise<boolean> {
    const whole = `${name}.${randomBytes(6).toString("hex")}`;
    await this.write(whole, text);
    try {
      await link(this.#path(whole), this.#path(name));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // A file system without links: the file may be seen half-written for a moment, which a lock survives.
      return await createPlain(this.#path(name), text);
    } finally {
      await this.remove(whole);
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return path.join(this.folder, name);
  }
}

async function createPlain(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function flush(file: string, mode: "r" | "r+"): Promise<void> {
  const handle = await open(file, mode);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
