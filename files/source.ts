/**
 * Reading flows, tests and policy files that somebody named. A test names its flow, a link leads where it wants, and both
 * may come with a repository of others. So only a file with such a name is read, and only where the one who named it may
 * look: below the repository, the workspace folder or the folder that was named, wherever links lead.
 */
import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { FILE_KINDS, fileKind } from "../flow/file-kind";
import { checkAllowed, confines, isBelow } from "./confined";
import { isUnsafeOnWindows } from "./device-path";
import { MAX_TEXT_SIZE, readText } from "./read";
import { FileRefused } from "./refused";

/** What a command or an editor may look at. */
export class FileScope {
  readonly #homes = new Map<string, Promise<string>>();

  constructor(
    /** Absolute paths: the folders that were named, or those of the workspace. */
    readonly folders: readonly string[],
    /** Where the command runs; counts for files that are below it and in no repository. */
    readonly cwd?: string,
  ) {}

  /**
   * The text of a file that a person named or that was found below a folder; with `by`, of one that another file names.
   * Rejects as Node does where there is none.
   */
  async read(file: string, by?: string): Promise<string> {
    return readText(file, MAX_TEXT_SIZE, await this.#check(file, by));
  }

  /** Whether `read` would refuse a file because of its name or its place; it need not be there. */
  async allows(file: string, by?: string): Promise<boolean> {
    try {
      await this.#check(file, by);
      return true;
    } catch (error) {
      if (error instanceof FileRefused) return false;
      return true; // Nothing is there, or it can't be looked at: reading says so.
    }
  }

  /** The folder in which a file, and what it names, may be. */
  homeOf(file: string): Promise<string> {
    const folder = path.dirname(path.resolve(file));
    const home = this.#homes.get(folder) ?? this.#findHome(folder);
    this.#homes.set(folder, home);
    return home;
  }

  /** Where links lead, which is what may be read. */
  async #check(file: string, by: string | undefined): Promise<string> {
    const kind = fileKind(file);
    const known = [...this.folders, ...confines(), this.cwd, by].flatMap((each) => each ?? []);
    if (!kind || isUnsafeOnWindows(file, known)) throw notOurs(file);
    // Before anything is asked of the file system: on Windows already a look at a share sends who the user is.
    if (by !== undefined && !isBelow(path.resolve(file), [await this.homeOf(by)])) throw outside(file);
    // An agent learns of a file outside its folders that it is outside, whether it is there or not.
    await checkAllowed(file);
    const real = await realpath(file);
    if (real === file && by === undefined) return real;
    if (fileKind(real) !== kind)
      throw new FileRefused(file, "this is a link to a file of another kind, so it isn't read.");
    if (!isBelow(real, [await realpath(await this.homeOf(by ?? file))])) throw outside(file);
    return real;
  }

  /**
   * The outermost of the repository and the folders that were named, as far as the file is below them; else the working
   * folder, or the folder it is in. Where a folder on the way is a link, what is around the link counts: else a link to
   * another repository would be at home there.
   */
  async #findHome(folder: string): Promise<string> {
    let repository: string | undefined;
    let isBehindLink = false;
    for (let at = folder; ; at = path.dirname(at)) {
      const isRepository = (await lstat(path.join(at, ".git")).catch(() => undefined)) !== undefined;
      if (isBehindLink ? isRepository || at === this.cwd : isRepository && repository === undefined) {
        repository = at;
        isBehindLink = false;
      }
      if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) isBehindLink = true;
      if (at === path.dirname(at)) break;
    }
    const named = [...this.folders, ...confines(), ...(repository === undefined ? [] : [repository])];
    const around = named.filter((each) => isBelow(folder, [each]));
    const [outermost] = around.sort((a, b) => a.length - b.length);
    if (outermost !== undefined) return outermost;
    return this.cwd !== undefined && isBelow(folder, [this.cwd]) ? this.cwd : folder;
  }
}

function notOurs(file: string): FileRefused {
  const kinds = Object.values(FILE_KINDS).map(({ called, ending }) => `a ${called} file (${ending})`);
  return new FileRefused(file, `this isn't ${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}, so it isn't read.`);
}

function outside(file: string): FileRefused {
  return new FileRefused(
    file,
    "this is outside the repository, or the folder that was named, so it isn't read. Name the folder that has both.",
  );
}
