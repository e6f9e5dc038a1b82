/** Quotes paths for shell commands that a message suggests. */

/** Characters with no special meaning in any shell. On Windows, backslashes and a drive letter are fine too. */
const PLAIN = { posix: /^[\p{L}\p{N}_@%+=:,./-]+$/u, windows: /^[\p{L}\p{N}_+=:./\\-]+$/u };

/**
 * Quotes a path as a single argument. Single quotes preserve everything except themselves, in PowerShell and in POSIX
 * shells.
 */
export function shellPath(path: string, isWindows = process.platform === "win32"): string {
  // A leading dash would be read as an option.
  const named = path.startsWith("-") ? `./${path}` : path;
  if ((isWindows ? PLAIN.windows : PLAIN.posix).test(named)) return named;
  return `'${named.replaceAll("'", isWindows ? "''" : "'\\''")}'`;
}
