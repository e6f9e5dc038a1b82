/** What the system's errors mean, without their codes: nobody who reads a message should have to look up EROFS. */

/** Why a file, a folder or a program can't be used, as words that go on after its name; undefined where it is no such error. */
export function systemReason(error: unknown): string | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^E[A-Z0-9_]+$/.test(code) || code.startsWith("ERR_")) return undefined;
  return REASONS[code] ?? "the system refused it";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this may not be read or written",
  EPERM: "this may not be changed",
  EISDIR: "this is a folder",
  ENOTDIR: "what should be a folder on the way there is a file",
  ENOTEMPTY: "the folder isn't empty",
  EEXIST: "there is already something of that name",
  ELOOP: "this is a link that leads back to itself",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is too large",
  EROFS: "this is on a disk that cannot be written",
  EIO: "the disk failed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program uses it",
  ETXTBSY: "another program uses it",
  ENAMETOOLONG: "the name is too long",
  ENODEV: "the disk is no longer there",
  ESTALE: "the network folder is no longer there",
  ENOMEM: "there isn't enough memory",
  EPIPE: "the other side closed the connection",
  ECONNRESET: "the other side closed the connection",
  ECONNREFUSED: "nothing answers there",
  ETIMEDOUT: "it took too long",
  EADDRINUSE: "the port is taken",
};

/** What went wrong, in words for people: the one place that turns errors of the system into words. */
export function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ABORT_ERR" || code === "ERR_CANCELED") return "it was canceled";
  if (typeof code === "string" && code.startsWith("Z_")) return "the answer is damaged";
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error));
}
