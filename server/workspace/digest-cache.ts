/**
 * Caches digests of files in the state folder, each in a file named after its inputs: the file's URI and text, the
 * options, and the program. Entries unused for a month are removed. A cache that can't be read or written only costs
 * time.
 */
import { privateFolder, readPrivate, readText, writeWhole } from "../../files";
import { join, readdir, rm, sha256, stat, utimes } from "../../system";
import type { DigestOptions, FileDigest } from "./digest";

const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
/** The time stamp of a used entry is updated at most once a day. */
const DAY_MS = 24 * 3600 * 1000;

export class DigestCache {
  readonly #folder: string;
  /** Part of the key, because rules change with the program. */
  readonly #program: Promise<string>;
  #usable: Promise<boolean> | undefined;

  constructor(stateDir: string, program: string) {
    this.#folder = join(stateDir, "checked");
    this.#program = readText(program).then((code) => sha256(code));
  }

  async keyOf(uri: string, text: string, options: DigestOptions): Promise<string> {
    return sha256(`${JSON.stringify([await this.#program, uri, options])}\0${text}`).slice(0, 40);
  }

  async get(key: string): Promise<FileDigest | undefined> {
    try {
      if (!(await this.#isUsable())) return undefined;
      const file = join(this.#folder, `${key}.json`);
      const known = await readPrivate(file);
      if (known === undefined) return undefined;
      const digest = JSON.parse(known) as FileDigest;
      const now = new Date();
      if (now.getTime() - (await stat(file)).mtimeMs > DAY_MS) await utimes(file, now, now);
      return digest;
    } catch {
      return undefined;
    }
  }

  async put(key: string, digest: FileDigest): Promise<void> {
    if (!(await this.#isUsable())) return;
    await writeWhole(join(this.#folder, `${key}.json`), JSON.stringify(digest), { private: true }).catch(() => {});
  }

  /** Removes entries that haven't been used for a month. */
  async prune(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = join(this.#folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found && now - found.mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
    }
  }

  #isUsable(): Promise<boolean> {
    this.#usable ??= privateFolder(this.#folder).then(
      () => true,
      () => false,
    );
    return this.#usable;
  }
}
