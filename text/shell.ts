/** Paths in commands that a person is told to run: as one word, whatever signs are in them. */

/** Signs that no shell gives a meaning; on Windows a path has backslashes and a drive as well. */
const PLAIN = { posix: /^[\p{L}\p{N}_@%+=:,./-]+$/u, windows: /^[\p{L}\p{N}_+=:./\\-]+$/u };

/** Single quotes keep all signs but themselves, in PowerShell as in other shells. */
export function shellPath(path: string, isWindows = process.platform === "win32"): string {
  // A name that begins with a dash would be an option.
  const named = path.startsWith("-") ? `./${path}` : path;
  if ((isWindows ? PLAIN.windows : PLAIN.posix).test(named)) return named;
  return `'${named.replaceAll("'", isWindows ? "''" : "'\\''")}'`;
}
