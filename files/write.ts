/**
 * Writes files atomically. The content goes to a new file in the same folder, with an unpredictable name that must not
 * exist, which is then renamed. So a file is written completely or not at all, and never through a link.
 */
import { type FileHandle, link, lstat, open, path, randomHex, rename, rm, type Stats } from "../system";
import { checkAllowed } from "./confined";
import { readText } from "./read";
import { codeOf, FileChanged, FileRefused, kindOf, unlessGone } from "./refused";

export interface WriteOptions {
  /** Readable by this user only (mode 0600), whatever the mode was before. */
  readonly private?: boolean;
  /** Flushed to disk before the promise resolves, so that it survives a power cut. */
  readonly durable?: boolean;
}

/** Replaces a file and keeps its permissions. Anything other than a regular file is rejected and left unchanged. */
export async function writeWhole(file: string, content: string | Uint8Array, how: WriteOptions = {}): Promise<void> {
  if (!how.private) await checkAllowed(file);
  const old = await lstat(file).catch(unlessGone);
  checkRegular(file, old);
  await withTemporaryFile(file, content, how, old, (part) => rename(part, file));
}

function checkRegular(file: string, old: Stats | undefined): void {
  if (old && !old.isFile()) throw new FileRefused(file, `this is ${kindOf(old)}, not a file. It was left unchanged.`);
}

/**
 * Replaces a file only if its text is still `before` (undefined: it must not exist), so that no concurrent change is
 * lost.
 */
export async function replaceText(file: string, before: string | undefined, after: string): Promise<void> {
  const changed = () => new FileChanged(file, "the file changed in the meantime and was left unchanged. Try again.");
  if (before === undefined) {
    if (!(await createWhole(file, after))) throw changed();
    return;
  }
  await checkAllowed(file);
  const old = await lstat(file).catch(unlessGone);
  checkRegular(file, old);
  await withTemporaryFile(file, after, {}, old, async (part) => {
    if ((await readText(file).catch(unlessGone)) !== before) throw changed();
    await rename(part, file);
  });
}

/** Creates a file atomically; returns false if anything has that name, even a dangling link. */
export async function createWhole(
  file: string,
  content: string | Uint8Array,
  how: WriteOptions = {},
): Promise<boolean> {
  if (!how.private) await checkAllowed(file);
  return withTemporaryFile(file, content, how, undefined, async (part) => {
    try {
      await link(part, file);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
    }
    // On a file system without hard links, readers may briefly see an incomplete file.
    try {
      await put(file, content, how, undefined);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  });
}

/** Writes a temporary file, lets `place` move it, and cleans up. */
async function withTemporaryFile<Result>(
  file: string,
  content: string | Uint8Array,
  how: WriteOptions,
  old: Stats | undefined,
  place: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = path.join(path.dirname(file), `.assistant-flow-${randomHex(12)}.tmp`);
  try {
    await put(part, content, how, old);
    return await place(part);
  } catch (error) {
    // Report the user's path, not the temporary file's.
    if (error instanceof Error && "path" in error && error.path === part) error.path = file;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

async function put(
  file: string,
  content: string | Uint8Array,
  how: WriteOptions,
  old: Stats | undefined,
): Promise<void> {
  // Exclusive: fails if a file or link has this name.
  const handle = await open(file, "wx", how.private || old ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (old) await keepOwnerAndMode(handle, old, how);
    if (how.durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: Stats, how: WriteOptions): Promise<void> {
  const now = await handle.stat();
  // Only root may change the owner, and others only to one of their groups; otherwise the new owner stays.
  if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => undefined);
  await handle.chmod(how.private ? 0o600 : old.mode & 0o777);
}
