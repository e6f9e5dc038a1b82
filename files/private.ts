/**
 * Reads and writes files that only this user may access: the state of synced flows, pending rejections, the origins of
 * API keys.
 */
import { constants, lstat, mkdir, open, rm, type Stats, stat } from "../system";
import { readRegular } from "./read";
import { codeOf, FileRefused, kindOf, unlessGone } from "./refused";

/**
 * Creates the folder, or checks that no other user can write to it: its contents decide what is pushed. On Windows,
 * user profiles are protected by the system.
 */
export async function privateFolder(folder: string): Promise<void> {
  if (!(await isPrivateFolder(folder))) await mkdir(folder, { recursive: true, mode: 0o700 });
  // Another process may have created it in the meantime.
  await isPrivateFolder(folder);
}

/** Whether the folder exists. Rejects if other users can write to it. */
export async function isPrivateFolder(folder: string): Promise<boolean> {
  const itself = await lstat(folder).catch(unlessGone);
  if (!itself) return false;
  // The owner of a link decides where it points, so both the link and its target must belong to this user.
  checkOwn(folder, itself);
  if (itself.isSymbolicLink()) checkOwn(folder, await stat(folder));
  return true;
}

function checkOwn(folder: string, found: Stats): void {
  if (!found.isSymbolicLink() && !found.isDirectory())
    throw new FileRefused(folder, `this is ${found.isFile() ? "a file" : kindOf(found)}, not a folder.`);
  if (process.platform === "win32") return;
  if (found.uid !== process.geteuid?.())
    throw new FileRefused(folder, "this folder belongs to another user. Choose one of your own.");
  // The mode of a link is meaningless.
  if (!found.isSymbolicLink() && (found.mode & 0o022) !== 0)
    throw new FileRefused(folder, "other users can write to this folder. Run `chmod go-w` on it.");
}

/**
 * Reads a private file, or returns undefined if it doesn't exist. Its size is unlimited, because only this user can
 * write it.
 */
export async function readPrivate(file: string): Promise<string | undefined> {
  return readRegular(file, Number.MAX_SAFE_INTEGER).catch(unlessGone);
}

/** Creates a file. A file or link left under this name by a crash is removed first, never followed. */
export async function createPrivate(file: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(file, flags, 0o600).catch(async (error) => {
    if (codeOf(error) !== "EEXIST") throw error;
    await rm(file, { force: true });
    return open(file, flags, 0o600);
  });
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/**
 * Flushes a folder, so that renames survive a power cut. Windows can't flush folders and doesn't need to: its file
 * system journals renames.
 */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await flushFile(folder, "r");
}

/** Waits until a file is on disk. */
export async function flushFile(file: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(file, flags);
  await handle.sync().finally(() => handle.close());
}
