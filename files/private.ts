/** Files of this user alone, in a folder of this user alone: what is known of synced flows, rejections that wait, keys' origins. */
import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, rm, stat } from "node:fs/promises";
import { readRegular } from "./read";
import { codeOf, FileRefused, kindOf, unlessGone } from "./refused";

/**
 * Makes the folder, or makes sure that nobody else can put anything into it: what is read there decides what is pushed.
 * Windows keeps the folders of a user's profile to that user by other means.
 */
export async function privateFolder(folder: string): Promise<void> {
  if (!(await isPrivateFolder(folder))) await mkdir(folder, { recursive: true, mode: 0o700 });
  // Somebody may have been quicker.
  await isPrivateFolder(folder);
}

/** Whether the folder is there; rejects where it is, and others can put something into it. */
export async function isPrivateFolder(folder: string): Promise<boolean> {
  const itself = await lstat(folder).catch(unlessGone);
  if (!itself) return false;
  // Whoever laid a link there chooses where it leads, so both must be this user's.
  checkOwn(folder, itself);
  if (itself.isSymbolicLink()) checkOwn(folder, await stat(folder));
  return true;
}

function checkOwn(folder: string, found: Stats): void {
  if (!found.isSymbolicLink() && !found.isDirectory())
    throw new FileRefused(folder, `this is ${found.isFile() ? "a file" : kindOf(found)}, not a folder.`);
  if (process.platform === "win32") return;
  if (found.uid !== process.geteuid?.())
    throw new FileRefused(
      folder,
      "this folder belongs to another user, so it isn't used. Choose a folder of your own.",
    );
  // The mode of a link says nothing.
  if (!found.isSymbolicLink() && (found.mode & 0o022) !== 0)
    throw new FileRefused(folder, "other users can write to this folder, so it isn't used. Run “chmod go-w” on it.");
}

/** The text of a private file; undefined where there is none. It may be of any size: nobody else wrote it. */
export async function readPrivate(file: string): Promise<string | undefined> {
  return readRegular(file, Number.MAX_SAFE_INTEGER).catch(unlessGone);
}

/** Writes a new file; what is left under this name by a crash is removed, not followed. */
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

/** Adds to a private file that is so many bytes long; false where none of that length is there. */
export async function appendPrivate(file: string, text: string, length: number): Promise<boolean> {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch(unlessGone);
  if (!handle) return false;
  try {
    const opened = await handle.stat();
    if (!opened.isFile() || opened.size !== length) return false;
    await handle.writeFile(text);
    return true;
  } finally {
    await handle.close();
  }
}

/** Makes renames last. Windows cannot flush a folder and needs no such thing: its renames are in the file system's own journal. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
