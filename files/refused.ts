/** What is said where a file is not what its name promises. */
import type { Stats } from "node:fs";

/** Its message is for a person and names the file. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";

  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`${path}: ${why}`);
  }
}

/** It isn't what it was when its text was read. */
export class FileChanged extends FileRefused {}

/** What stands where a file should be. */
export function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return "a device";
}

/** For a file that may be missing. */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return undefined;
  throw error;
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
