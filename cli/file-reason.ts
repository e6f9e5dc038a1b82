/** What is wrong with a file, for messages that name it. Apart from explain.ts, which knows the platform's errors too. */
import type { FileRefused } from "../files";

/** Why a file or folder can't be used, as a sentence that goes on after its name. */
export function fileReason(error: Error): string {
  if (isRefused(error)) return error.why;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${REASONS[code] ?? code}.`;
}

/** By name: some commands are bundles of their own, with a class of their own. */
export function isRefused(error: unknown): error is FileRefused {
  return error instanceof Error && error.name === "FileRefused";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this may not be read or written",
  EPERM: "this may not be changed",
  EISDIR: "this is a folder",
  ENOTDIR: "what should be a folder on the way there is a file",
  ELOOP: "this is a link that leads back to itself",
  ENOSPC: "the disk is full",
  EROFS: "this is on a disk that cannot be written",
};
