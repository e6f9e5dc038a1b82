/** Files in a browser: those of the editor's file systems, with the functions of Node that the code uses. */
import type { FileEntry, FileInfo, FileSource } from "../file-source";
import { FileError } from "./file-error";
import { path, pathToFileURL } from "./paths";

export { dirname, fileScheme, fileURLToPath, isFileUri, join, nameInEditor, path, pathToFileURL } from "./paths";

let source: FileSource = {
  stat: async () => undefined,
  list: async () => undefined,
  read: async () => undefined,
};

export function setFileSource(files: FileSource): void {
  source = files;
}

class BrowserStats {
  readonly dev = 0;
  readonly ino = 0;
  readonly uid = 0;
  readonly gid = 0;
  readonly mode = 0o600;
  readonly size: number;
  readonly mtimeMs: number;

  constructor(private readonly info: FileInfo) {
    this.size = info.size;
    this.mtimeMs = info.modified;
  }

  isFile(): boolean {
    return this.info.kind === "file";
  }

  isDirectory(): boolean {
    return this.info.kind === "folder";
  }

  isSymbolicLink(): boolean {
    return this.info.kind === "link";
  }

  isFIFO(): boolean {
    return false;
  }

  isSocket(): boolean {
    return false;
  }
}

export async function stat(place: string): Promise<BrowserStats> {
  const info = await source.stat(pathToFileURL(place).href);
  if (!info) throw new FileError("ENOENT", place);
  return new BrowserStats(info);
}

export const lstat = stat;

/** Links aren't followed, so every path is a real one. */
export async function realpath(place: string): Promise<string> {
  await stat(place);
  return path.resolve(place);
}

export const realpathSync = { native: (place: string): string => path.resolve(place) };

/** Worker programs aren't separate files here. */
export function existsSync(_place: string): boolean {
  return false;
}

/** No other program writes files here. */
export function watch(place: string): never {
  throw new FileError("ENOENT", place);
}

export function readdir(place: string): Promise<string[]>;
export function readdir(place: string, options: { readonly withFileTypes: true }): Promise<Entry[]>;
export async function readdir(place: string, options?: object): Promise<string[] | Entry[]> {
  const entries = await source.list(pathToFileURL(place).href);
  if (!entries) throw new FileError("ENOENT", place);
  return options ? entries.map((each) => new Entry(each)) : entries.map(({ name }) => name);
}

class Entry {
  readonly name: string;

  constructor(private readonly entry: FileEntry) {
    this.name = entry.name;
  }

  isFile(): boolean {
    return this.entry.kind === "file";
  }

  isDirectory(): boolean {
    return this.entry.kind === "folder";
  }
}

export const constants = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_CREAT: 64,
  O_EXCL: 128,
  O_APPEND: 1024,
  O_NONBLOCK: 0,
  O_NOCTTY: 0,
  O_NOFOLLOW: 0,
};

/** An opened file. Its content is read as a whole. */
class Handle {
  #at = 0;

  constructor(
    private readonly place: string,
    private readonly content: Uint8Array,
    private readonly stats: BrowserStats,
  ) {}

  async stat(): Promise<BrowserStats> {
    return this.stats;
  }

  async read(target: Uint8Array, offset: number, length: number, _position: null): Promise<{ bytesRead: number }> {
    const part = this.content.subarray(this.#at, this.#at + length);
    target.set(part, offset);
    this.#at += part.length;
    return { bytesRead: part.length };
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    if (!source.write) return readOnly(this.place);
    await source.write(uriOf(this.place), typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  async sync(): Promise<void> {}
  async chmod(_mode: number): Promise<void> {}
  async chown(_uid: number, _gid: number): Promise<void> {}
  async close(): Promise<void> {}
}

/** Opens a file to read it, or creates one. */
export async function open(place: string, flags: string | number, _mode?: number): Promise<Handle> {
  const isNew = flags === "wx" || flags === (constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  if (isNew && source.write) {
    if (await source.stat(uriOf(place))) throw new FileError("EEXIST", place);
    return new Handle(place, new Uint8Array(), new BrowserStats({ kind: "file", size: 0, modified: Date.now() }));
  }
  if (flags !== "r" && flags !== constants.O_RDONLY) return readOnly(place);
  const stats = await stat(place);
  const content = stats.isFile() ? await source.read(uriOf(place)) : new Uint8Array();
  if (!content) throw new FileError("EACCES", place);
  return new Handle(place, content, stats);
}

function uriOf(place: string): string {
  return pathToFileURL(place).href;
}

async function readOnly(place: string): Promise<never> {
  throw new FileError("EROFS", place);
}

export const link = (_from: string, to: string): Promise<void> => readOnly(to);

export async function mkdir(place: string, _options?: object): Promise<string | undefined> {
  if (!source.createFolder) return readOnly(place);
  await source.createFolder(uriOf(place));
  return undefined;
}

export async function rename(from: string, to: string): Promise<void> {
  if (!source.rename) return readOnly(to);
  await stat(from);
  await source.rename(uriOf(from), uriOf(to));
}

export async function unlink(place: string): Promise<void> {
  if (!source.remove) return readOnly(place);
  await stat(place);
  await source.remove(uriOf(place));
}

/** Like Node's with `force`. */
export async function rm(place: string, _options?: object): Promise<void> {
  if (source.remove && (await source.stat(uriOf(place)))) await source.remove(uriOf(place));
}

/** The editor's file systems set the time of a file when it's written. */
export async function utimes(place: string, _read: Date, _written: Date): Promise<void> {
  await stat(place);
}

export type { BrowserStats as Stats, Handle as FileHandle };
