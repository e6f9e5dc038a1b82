/**
 * The one way to write a file. The text goes to a new file beside the old one, under a name that nobody can guess and that
 * must not exist, and takes its place by a rename: whole or not at all, and never through a link that was laid there.
 */
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { checkAllowed } from "./confined";
import { readText } from "./read";
import { codeOf, FileChanged, FileRefused, kindOf, unlessGone } from "./refused";

export interface Written {
  /** For this user alone: 0600, whatever the mode was before. */
  readonly private?: boolean;
  /** On the disk when it resolves, so that it survives a power cut. */
  readonly durable?: boolean;
}

/** Takes the place of a file, with the permissions it had; what is no regular file is refused and left as it is. */
export async function writeWhole(file: string, content: string | Uint8Array, how: Written = {}): Promise<void> {
  if (!how.private) await checkAllowed(file);
  const old = await lstat(file).catch(unlessGone);
  checkRegular(file, old);
  await beside(file, content, how, old, (part) => rename(part, file));
}

function checkRegular(file: string, old: Stats | undefined): void {
  if (old && !old.isFile()) throw new FileRefused(file, `this is ${kindOf(old)}, not a file. It was left as it is.`);
}

/**
 * Takes the place of a file that still says what was read of it (undefined: of none), so that nothing is lost that was
 * written there while its new text was made or agreed to.
 */
export async function replaceText(file: string, before: string | undefined, after: string): Promise<void> {
  const changed = () => new FileChanged(file, "the file was changed meanwhile, so it was left as it is. Try again.");
  if (before === undefined) {
    if (!(await createWhole(file, after))) throw changed();
    return;
  }
  await checkAllowed(file);
  const old = await lstat(file).catch(unlessGone);
  checkRegular(file, old);
  await beside(file, after, {}, old, async (part) => {
    if ((await readText(file).catch(unlessGone)) !== before) throw changed();
    await rename(part, file);
  });
}

/** Makes a file that must not exist yet, whole or not at all; false where anything has its name, be it a link to nothing. */
export async function createWhole(file: string, content: string | Uint8Array, how: Written = {}): Promise<boolean> {
  if (!how.private) await checkAllowed(file);
  return beside(file, content, how, undefined, async (part) => {
    try {
      await link(part, file);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
    }
    // A file system without links: the file may be seen half-written for a moment.
    try {
      await put(file, content, how, undefined);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  });
}

/** Writes the new file, lets `place` put it where it belongs, and leaves nothing behind. */
async function beside<Result>(
  file: string,
  content: string | Uint8Array,
  how: Written,
  old: Stats | undefined,
  place: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = path.join(path.dirname(file), `.assistant-flow-${randomBytes(12).toString("hex")}.tmp`);
  try {
    await put(part, content, how, old);
    return await place(part);
  } catch (error) {
    // Of the two names the person knows only this one.
    if (error instanceof Error && "path" in error && error.path === part) error.path = file;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

async function put(file: string, content: string | Uint8Array, how: Written, old: Stats | undefined): Promise<void> {
  // Exclusive: neither a file nor a link may have the name.
  const handle = await open(file, "wx", how.private || old ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (old) await keepOwnerAndMode(handle, old, how);
    if (how.durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: Stats, how: Written): Promise<void> {
  const now = await handle.stat();
  // Only root may give a file away, and others only to a group of theirs; then it stays with whoever wrote it.
  if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => undefined);
  await handle.chmod(how.private ? 0o600 : old.mode & 0o777);
}
