import { lstat, path } from "../system";
import { isAllowed } from "./confined";

/** Finds the file of a name that is nearest to another file: in its folder or in one above. Each folder is looked at once. */
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
    const above = path.dirname(folder);
    return above === folder ? undefined : this.#inOrAbove(above);
  }
}
