/** Explains file errors. Separate from explain.ts, which also loads the platform's errors. */
import { FileRefused, systemReason } from "../../files";

/** The reason why a file or folder can't be used, to follow its name. */
export function fileReason(error: Error): string {
  if (error instanceof FileRefused) return error.why;
  const reason = systemReason(error);
  return reason === undefined ? error.message : `${reason}.`;
}
