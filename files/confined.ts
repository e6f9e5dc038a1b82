/**
 * Confines file access to some folders while a task runs. Agents name files because a flow, a test or a web page told
 * them to, so access is checked here, where every file is opened, instead of in each caller.
 */
import { AsyncLocalStorage, path, realpath, stat } from "../system";
import { isUnsafeOnWindows } from "./device-path";
import { codeOf, FileRefused } from "./refused";

const folders = new AsyncLocalStorage<readonly string[]>();

/**
 * Runs `work` with access to these folders only, after resolving links. Private files of the product aren't affected.
 */
export async function confinedTo<Result>(allowed: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const real = await Promise.all(allowed.map((folder) => realpath(folder)));
  return folders.run(real, work);
}

/** The folders that the current task is confined to, or an empty list if it isn't confined. */
export function confines(): readonly string[] {
  return folders.getStore() ?? [];
}

/** Whether the current task may access a file or folder, which doesn't have to exist. */
export async function isAllowed(file: string): Promise<boolean> {
  const allowed = folders.getStore();
  if (allowed === undefined) return true;
  const whole = path.resolve(file);
  return !isUnsafeOnWindows(whole, allowed) && isBelow(await realPlace(whole), allowed);
}

/** Rejects if the current task may not access a file or folder. */
export async function checkAllowed(file: string): Promise<void> {
  if (!(await isAllowed(file)))
    throw new FileRefused(file, "this file is outside the folders that this server may access.");
}

/** Checks an opened file: it may have been replaced by a link between the check and the opening. */
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
    throw new FileRefused(file, "this file was replaced while it was read. Try again.");
}

/** Whether a path is one of the folders or inside one. */
export function isBelow(place: string, allowed: readonly string[]): boolean {
  return allowed.some((folder) => {
    const inside = path.relative(folder, place);
    return inside === "" || !(inside === ".." || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside));
  });
}

/** The real path of a file; for one that doesn't exist, the real path it would be created at. */
async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const above = path.dirname(file);
    if (above === file || !["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
    return path.join(await realPlace(above), path.basename(file));
  }
}
