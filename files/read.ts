/**
 * Reading a file that somebody else may have put there. A named pipe would be waited for forever and a device never ends,
 * so only a regular file is read, and no more of it than a flow can be long.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { checkAllowed, checkOpened } from "./confined";
import { FileRefused, kindOf } from "./refused";

export const MAX_TEXT_SIZE = 20_000_000;

/**
 * The text of a regular file, or of what a link to one points at; with `real`, only while links lead there. Rejects as Node
 * does where there is none. Flows, tests and policies are read by `FileScope`.
 */
export async function readText(file: string, limit = MAX_TEXT_SIZE, real?: string): Promise<string> {
  await checkAllowed(file);
  return readRegular(file, limit, (opened) => checkOpened(file, opened, real));
}

/** The same wherever the file is. */
export async function readRegular(
  file: string,
  limit: number,
  check: (opened: Stats) => Promise<void> = async () => undefined,
): Promise<string> {
  // Before it is opened: opening some devices already does something.
  const found = await stat(file);
  if (!found.isFile()) throw new FileRefused(file, `this is ${kindOf(found)}, not a file.`);
  // What took its place meanwhile must not be waited for either.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new FileRefused(file, `this is ${kindOf(opened)}, not a file.`);
    await check(opened);
    return (await contentOf(handle, file, opened.size, limit)).toString("utf8");
  } finally {
    await handle.close();
  }
}

/** The size a file gives is a hint: it may grow while it is read, and some of the system's own files give none. */
async function contentOf(handle: FileHandle, file: string, size: number, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new FileRefused(file, `this file is larger than ${Math.floor(limit / 1_000_000)} MB and was not read.`);
  if (size > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  for (let length = 0, room = size + 1; ; room = 65_536) {
    const chunk = Buffer.allocUnsafe(room);
    const { bytesRead } = await handle.read(chunk, 0, room, null);
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
    if (length > limit) throw tooLarge();
    // All that was to be there, and then no more although there was room.
    const isAll = bytesRead < room && length === size && size > 0;
    if (isAll || bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }
}
