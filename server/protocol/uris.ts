/** Addresses of files. Editors spell the same file differently (`c%3A` and `c:`, `%20` and ` `), so maps go by `keyOf`. */
import { fileURLToPath, pathToFileURL } from "node:url";

export function keyOf(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : pathToFileURL(path).href;
}

/** Whether a file is in a folder, by whole names: `flows-old` is not below `flows`. */
export function isBelow(uri: string, folder: string): boolean {
  const [key, place] = [keyOf(uri), keyOf(folder)];
  return key.startsWith(place.endsWith("/") ? place : `${place}/`);
}

/** The path of a `file:` address, or undefined for any other. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // An address such as `file://host/x` on a system without network paths names no file here.
    return undefined;
  }
}

/** A file that a person can save, unlike an older version that is only shown (`git:`): only such a file claims a revision. */
export function isSavable(uri: string): boolean {
  return uri.startsWith("file:") || uri.startsWith("untitled:");
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
