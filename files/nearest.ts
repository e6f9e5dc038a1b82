import { lstat, path } from "../system";
import { isAllowed } from "./confined";

/**
 * Whether a file in the folder above counts for the files of a folder. A repository has its own files, and in a folder
 * that everyone can write to, such as /tmp, a file may belong to another user.
 */
export async function looksAbove(folder: string): Promise<boolean> {
  const above = path.dirname(folder);
  if (above === folder || (await lstat(path.join(folder, ".git")).catch(() => undefined))) return false;
  const found = await lstat(above).catch(() => undefined);
  return found === undefined || process.platform === "win32" || (found.mode & 0o002) === 0;
}

/**
 * Finds the file of a name that is nearest to another file: in its folder or in one above, in the same repository. Each
 * folder is looked at once.
 */
export class NearestFile {
  readonly #found = new Map<string, Promise<string | undefined>>();

  constructor(private readonly name: string) {}

  /** Its absolute path. Also one that can't be read: that has to be reported, not treated as absent. */
  to(file: string): Promise<string | undefined> {
    return this.#inOrAbove(path.dirname(file));
  }

  #inOrAbove(folder: string): Promise<string | undefined> {
    const found = this.#found.get(folder) ?? this.#look(folder);
    this.#found.set(folder, found);
    return found;
  }

  async #look(folder: string): Promise<string | undefined> {
    if (!(await isAllowed(folder))) return undefined;
    const file = path.join(folder, this.name);
    if (await lstat(file).catch(() => undefined)) return file;
    return (await looksAbove(folder)) ? this.#inOrAbove(path.dirname(folder)) : undefined;
  }
}
