/**
 * Work that may touch the files of some folders alone. Agents name files that flows, tests or pages told them to name, so what
 * they ask for is held here, at the one door to files, and not where each of its callers might forget it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isUnsafeOnWindows } from "./device-path";
import { codeOf, FileRefused } from "./refused";

const folders = new AsyncLocalStorage<readonly string[]>();

/** Runs work that reads and writes below these folders only, wherever links lead. The product's own private files are no part of it. */
export async function confinedTo<Result>(allowed: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const real = await Promise.all(allowed.map((folder) => realpath(folder)));
  return folders.run(real, work);
}

/** The folders that the work that asks is confined to; none where it isn't. */
export function confines(): readonly string[] {
  return folders.getStore() ?? [];
}

/** Whether the work that asks may touch a file or folder; it need not be there. */
export async function isAllowed(file: string): Promise<boolean> {
  const allowed = folders.getStore();
  if (allowed === undefined) return true;
  const whole = path.resolve(file);
  return !isUnsafeOnWindows(whole, allowed) && isBelow(await realPlace(whole), allowed);
}

/** Rejects where the work that asks may not touch a file or folder. */
export async function checkAllowed(file: string): Promise<void> {
  if (!(await isAllowed(file)))
    throw new FileRefused(file, "this is outside the folders that this server was given, so it isn't read or written.");
}

/** For a file that was opened: a link may have been laid between the look and the opening. */
export async function checkOpened(
  file: string,
  opened: { readonly dev: number; readonly ino: number },
  real: string | undefined,
): Promise<void> {
  if (folders.getStore() === undefined && real === undefined) return;
  await checkAllowed(file);
  const place = await realpath(file);
  const now = await stat(place);
  if ((real !== undefined && place !== real) || now.dev !== opened.dev || now.ino !== opened.ino)
    throw new FileRefused(file, "another file took this one's place while it was read. Try again.");
}

/** Whether a path is one of the folders or below one, by whole names. */
export function isBelow(place: string, allowed: readonly string[]): boolean {
  return allowed.some((folder) => {
    const inside = path.relative(folder, place);
    return inside === "" || !(inside === ".." || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside));
  });
}

/** Where a path leads once links are followed; of what isn't there, where it would be made. */
async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const above = path.dirname(file);
    if (above === file || !["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
    return path.join(await realPlace(above), path.basename(file));
  }
}
