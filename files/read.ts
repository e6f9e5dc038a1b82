/**
 * Reads files that others may have put there. Reading a named pipe would block forever and a device never ends, so only
 * regular files are read, up to a size limit.
 */
import { constants, type FileHandle, open, type Stats, stat } from "../system";
import { checkAllowed, checkOpened } from "./confined";
import { FileRefused, kindOf, namingFile } from "./refused";

export const MAX_TEXT_SIZE = 20_000_000;

/**
 * Reads a regular file, following links; with `real`, only if the path resolves to it. Rejects with Node's error if the
 * file doesn't exist. Use `FileScope` for flows, tests and policies.
 */
export async function readText(file: string, limit = MAX_TEXT_SIZE, real?: string): Promise<string> {
  await checkAllowed(file);
  return readRegular(file, limit, (opened) => checkOpened(file, opened, real));
}

/** Like `readText`, without the check for allowed folders. */
export async function readRegular(
  file: string,
  limit: number,
  check: (opened: Stats) => Promise<void> = async () => undefined,
): Promise<string> {
  const { handle, size } = await openRegular(file, check);
  try {
    return (await contentOf(handle, file, size, limit)).toString("utf8");
  } finally {
    await handle.close();
  }
}

/** Opens a file that is neither a device nor a pipe. The caller closes the handle. */
export async function openRegular(
  file: string,
  check: (opened: Stats) => Promise<void>,
): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  // Checked before opening, because opening some devices has side effects.
  const found = await stat(file);
  if (!found.isFile()) throw new FileRefused(file, `this is ${kindOf(found)}, not a file.`);
  // The file may have been replaced since, and opening a pipe must not block either.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new FileRefused(file, `this is ${kindOf(opened)}, not a file.`);
    await check(opened);
    return { handle, size: opened.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The reported size is only a hint: the file may grow while it is read, and some system files report 0. */
async function contentOf(handle: FileHandle, file: string, size: number, limit: number): Promise<Buffer> {
  const tooLarge = () => new FileRefused(file, `this file is larger than ${Math.floor(limit / 1_000_000)} MB.`);
  if (size > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  for (let length = 0, room = size + 1; ; room = 65_536) {
    const chunk = Buffer.allocUnsafe(room);
    const { bytesRead } = await handle.read(chunk, 0, room, null).catch(namingFile(file));
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
    if (length > limit) throw tooLarge();
    // The reported size was read and the buffer wasn't filled, so this is the end of the file.
    const isAll = bytesRead < room && length === size && size > 0;
    if (isAll || bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }
}
