/** What is wrong with a file, for messages that name it. Apart from explain.ts, which knows the platform's errors too. */
import { type FileRefused, systemReason } from "../../files";

/** Why a file or folder can't be used, as a sentence that goes on after its name. */
export function fileReason(error: Error): string {
  if (isRefused(error)) return error.why;
  const reason = systemReason(error);
  return reason === undefined ? error.message : `${reason}.`;
}

/** By name: some commands are bundles of their own, with a class of their own. */
export function isRefused(error: unknown): error is FileRefused {
  return error instanceof Error && error.name === "FileRefused";
}
