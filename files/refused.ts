/** Errors for files that can't be used as what their name suggests. */
import type { Stats } from "../system";

/** A user-facing error about a file; its message starts with the path. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";

  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`${path}: ${why}`);
  }
}

/** The file changed after it was read. */
export class FileChanged extends FileRefused {}

/** Names what was found instead of a regular file. */
export function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return "a device";
}

/** Error handler for a file that may be missing: returns undefined for ENOENT and rethrows the rest. */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return undefined;
  throw error;
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Adds the path of an open file to an error of reading it, which has none, so that it can be reported. */
export function namingFile(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path: file });
    throw error;
  };
}
