/** Explains errors: a message and an exit code. */
import { FileRefused, reasonOf } from "../files";
import { keysIn, PlatformError, type PlatformErrorKind, redact } from "../platform";
import { oneLine } from "../text";
import { EXIT, type ExitCode } from "./command";
import { fileReason } from "./files/file-error";

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
    const unknown = error.outcomeUnknown ? " The request may have taken effect; check before you retry." : "";
    const code = UNREACHABLE.has(error.kind) ? EXIT.unreachable : EXIT.failed;
    return { message: oneLine`${error.message}${unknown}`, code };
  }
  if (error instanceof FileRefused) return { message: oneLine`${error.message}`, code: EXIT.failed };
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code && path) return { message: oneLine`${path}: ${fileReason(error as Error)}`, code: EXIT.failed };
  if (error instanceof Error && error.name === "Error" && !code) return { message, code: EXIT.failed };
  return { message: `Internal error: ${redact(reasonOf(error), keysIn(env))}`, code: EXIT.internal };
}
