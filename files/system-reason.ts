/** Explains system errors in words, so that users don't have to look up codes such as EROFS. */

/** The reason why a file, folder or program can't be used, to follow its name; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^E[A-Z0-9_]+$/.test(code) || code.startsWith("ERR_")) return undefined;
  return REASONS[code] ?? "the system rejected the operation";
}

/** The reason of any error, for users; system errors are explained in words. */
export function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ABORT_ERR" || code === "ERR_CANCELED") return "it was canceled";
  if (typeof code === "string" && code.startsWith("Z_")) return "the response is damaged";
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "this is a folder",
  ENOTDIR: "part of the path is a file, not a folder",
  ENOTEMPTY: "the folder isn't empty",
  EEXIST: "a file or folder of that name already exists",
  ELOOP: "this link points to itself",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is too large",
  EROFS: "the disk is read-only",
  EIO: "the disk failed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "it is in use by another program",
  ETXTBSY: "it is in use by another program",
  ENAMETOOLONG: "the name is too long",
  ENODEV: "the disk is no longer available",
  ESTALE: "the network folder is no longer available",
  ENOMEM: "there isn't enough memory",
  EPIPE: "the other side closed the connection",
  ECONNRESET: "the other side closed the connection",
  ECONNREFUSED: "the connection was refused",
  ETIMEDOUT: "the operation timed out",
  EADDRINUSE: "the port is in use",
};
