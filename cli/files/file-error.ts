/** Explains file errors. Separate from explain.ts, which also loads the platform's errors. */
import { type FileRefused, systemReason } from "../../files";

/** The reason why a file or folder can't be used, to follow its name. */
export function fileReason(error: Error): string {
  if (isRefused(error)) return error.why;
  const reason = systemReason(error);
  return reason === undefined ? error.message : `${reason}.`;
}

/** Compared by name, because some commands are separate bundles with their own copy of the class. */
export function isRefused(error: unknown): error is FileRefused {
  return error instanceof Error && error.name === "FileRefused";
}
