/**
 * Detects paths that don't denote local files on Windows: devices, some of which act as soon as they're opened, and
 * network shares.
 */

/** Names that denote a device in any folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³])$/i;

/**
 * Whether Windows interprets a path as something other than a local file. A network share is unsafe too, unless an
 * allowed folder is on it: accessing one already sends the user's credentials.
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
  // `C:name` is relative to the current folder of that drive; any other colon denotes a stream of a file.
  if (withoutDrive !== slashed && !withoutDrive.startsWith("\\")) return true;
  if (withoutDrive.includes(":")) return true;
  return withoutDrive.split("\\").some((part) => {
    const name = part.split(".", 1)[0] as string;
    return DEVICE.test(name.trimEnd()) || (part !== "." && part !== ".." && /[. ]$/.test(part));
  });
}

/** The lowercase `\\server\share` part of a path. */
function shareOf(slashed: string): string | undefined {
  return /^\\\\[^\\]+\\[^\\]+/.exec(slashed)?.[0].toLowerCase();
}
