/** Paths that are no files on Windows: devices, which some open by being looked at, and shares of other machines. */

/** Names that mean a device in every folder and with every ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³])$/i;

/**
 * Whether Windows takes a path for something else than a file of this machine. A share of another machine is refused, too,
 * unless one of the folders that may be read is on it: a look at it already sends who the user is.
 */
export function isUnsafeOnWindows(
  file: string,
  folders: readonly string[] = [],
  platform: string = process.platform,
): boolean {
  if (platform !== "win32") return false;
  const slashed = file.replaceAll("/", "\\");
  if (/^\\\\[.?]\\|^\\\?\?\\/.test(slashed)) return true;
  const share = shareOf(slashed);
  if (share !== undefined && !folders.some((folder) => shareOf(folder.replaceAll("/", "\\")) === share)) return true;
  if (slashed.startsWith("\\\\") && share === undefined) return true;
  const withoutDrive = slashed.replace(/^[a-z]:/i, "");
  // `C:name` is relative to wherever that drive is; another colon names a stream of a file.
  if (withoutDrive !== slashed && !withoutDrive.startsWith("\\")) return true;
  if (withoutDrive.includes(":")) return true;
  return withoutDrive.split("\\").some((part) => {
    const name = part.split(".", 1)[0] as string;
    return DEVICE.test(name.trimEnd()) || (part !== "." && part !== ".." && /[. ]$/.test(part));
  });
}

/** `\\server\share` of a path, in small letters. */
function shareOf(slashed: string): string | undefined {
  return /^\\\\[^\\]+\\[^\\]+/.exec(slashed)?.[0].toLowerCase();
}
