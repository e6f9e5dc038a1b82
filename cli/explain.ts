/** What went wrong, in words for a person and as an exit code. */
import type { FileRefused } from "../files";
import { connectionFromEnvironment, PlatformError, type PlatformErrorKind, redact } from "../platform";
import { EXIT, type ExitCode } from "./command";

const UNREACHABLE: ReadonlySet<PlatformErrorKind> = new Set([
  "no-connection",
  "bad-key",
  "insecure-address",
  "network",
  "proxy",
  "tls",
  "timeout",
  "reset",
  "redirect",
  "unauthorized",
  "rate-limited",
  "server",
]);

export function explain(
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { readonly message: string; readonly code: ExitCode } {
  if (error instanceof PlatformError) {
    const unknown = error.outcomeUnknown ? " It is not known whether it took effect: look before trying again." : "";
    const code = UNREACHABLE.has(error.kind) ? EXIT.unreachable : EXIT.failed;
    return { message: `${error.message}${unknown}`, code };
  }
  if (isRefused(error)) return { message: error.message, code: EXIT.failed };
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code && path) return { message: `${path}: ${fileReason(error as Error)}`, code: EXIT.failed };
  if (error instanceof Error && error.name === "Error" && !code) return { message, code: EXIT.failed };
  const connection = connectionFromEnvironment(env);
  const safe = redact(error instanceof Error ? error.message : String(error), connection ? [connection.key] : []);
  return { message: `Something went wrong inside assistant-flow: ${safe}`, code: EXIT.internal };
}

/** Why a file or folder can't be used, as a sentence that goes on after its name. */
export function fileReason(error: Error): string {
  if (isRefused(error)) return error.why;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${REASONS[code] ?? code}.`;
}

/** By name: some commands are bundles of their own, with a class of their own. */
function isRefused(error: unknown): error is FileRefused {
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
