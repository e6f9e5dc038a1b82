/** The state of sync: a private folder, or the database of a browser. */
import { browserState, hostname, path, readdir, rename, rm, type StateStore, stat } from "../system";
import { createPrivate, flushFile, flushFolder, isPrivateFolder, privateFolder, readPrivate } from "./private";
import { codeOf } from "./refused";
import { createWhole, writeWhole } from "./write";

export function openState(folder: string): StateStore {
  return browserState() ?? new StateFolder(folder);
}

class StateFolder implements StateStore {
  readonly process = `${hostname()}:${process.pid}`;
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

  async replace(name: string, text: string): Promise<void> {
    await this.#ready();
    await writeWhole(this.#path(name), text, { private: true });
  }

  flush(name: string): Promise<void> {
    return flushFile(this.#path(name), "r+");
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

  async list(ending: string): Promise<string[]> {
    if (!(await isPrivateFolder(this.folder))) return [];
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(ending));
    const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(this.#path(name))).mtimeMs })));
    return dated.sort((a, b) => b.at - a.at).map(({ name }) => name);
  }

  /** Only processes of this machine can be checked. */
  async isGone(name: string): Promise<boolean> {
    const [host, pid] = [name.slice(0, name.lastIndexOf(":")), Number(name.slice(name.lastIndexOf(":") + 1))];
    if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
    try {
      process.kill(pid, 0);
      return false;
    } catch (error) {
      return codeOf(error) === "ESRCH";
    }
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
