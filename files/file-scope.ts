/**
 * Reads flow, test and policy files. A test names its flow and a link can point anywhere, and both may come with a
 * repository from others. So a file is read only if it has such a name and is, after resolving links, inside the
 * repository, the workspace folder or the folder the user named.
 */
import { FILE_KINDS, fileKind } from "../flow/file-kind";
import { lstat, path, realpath } from "../system";
import { checkAllowed, confines, isBelow } from "./confined";
import { isUnsafeOnWindows } from "./device-path";
import { MAX_TEXT_SIZE, readText } from "./read";
import { FileRefused } from "./refused";

/** The folders that a command or an editor may read from. */
export class FileScope {
  readonly #homes = new Map<string, Promise<string>>();

  constructor(
    /** Absolute paths of the named folders, or of the workspace folders. */
    readonly folders: readonly string[],
    /** The working folder of the command; the scope of files below it that aren't in a repository. */
    readonly cwd?: string,
  ) {}

  /**
   * Reads a file that the user named or a search found; with `by`, a file that another file names. Rejects with Node's
   * error if the file doesn't exist.
   */
  async read(file: string, by?: string): Promise<string> {
    return readText(file, MAX_TEXT_SIZE, await this.#check(file, by));
  }

  /** Whether the name and the location of a file are allowed. The file doesn't have to exist. */
  async allows(file: string, by?: string): Promise<boolean> {
    try {
      await this.#check(file, by);
      return true;
    } catch (error) {
      if (error instanceof FileRefused) return false;
      return true; // The file is missing or unreadable; `read` reports that.
    }
  }

  /** The folder that must contain a file and everything it names. */
  homeOf(file: string): Promise<string> {
    const folder = path.dirname(path.resolve(file));
    const home = this.#homes.get(folder) ?? this.#findHome(folder);
    this.#homes.set(folder, home);
    return home;
  }

  /** Returns the real path, which is what may be read. */
  async #check(file: string, by: string | undefined): Promise<string> {
    const kind = fileKind(file);
    const known = [...this.folders, ...confines(), this.cwd, by].flatMap((each) => each ?? []);
    if (!kind || isUnsafeOnWindows(file, known)) throw notOurs(file);
    // Checked before any file access: on Windows, accessing a network share sends the user's credentials.
    if (by !== undefined && !isBelow(path.resolve(file), [await this.homeOf(by)])) throw outside(file);
    // Checked before `realpath`, so that an agent can't find out whether a file outside its folders exists.
    await checkAllowed(file);
    const real = await realpath(file);
    if (real === file && by === undefined) return real;
    if (fileKind(real) !== kind) throw new FileRefused(file, "this is a link to a file of another kind.");
    if (!isBelow(real, [await realpath(await this.homeOf(by ?? file))])) throw outside(file);
    return real;
  }

  /**
   * The outermost of the repository and the named folders that contain the file; otherwise the working folder, or the
   * folder of the file. If a folder on the path is a link, the repository around the link counts, so that a link to
   * another repository doesn't extend the scope.
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
  return new FileRefused(file, `this isn't ${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}.`);
}

function outside(file: string): FileRefused {
  return new FileRefused(file, "this file is outside the repository or folder. Pass a folder that contains both.");
}
