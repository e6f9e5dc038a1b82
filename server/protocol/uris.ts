/**
 * URIs of files. Editors spell the same file differently (`c%3A` and `c:`, `%20` and ` `), so maps are keyed by
 * `keyOf`.
 */
import { fileScheme, fileURLToPath, isFileUri, pathToFileURL } from "../../system";

/** Matches every file, for the registration of file events. */
export const anyFile = [{ ...(fileScheme ? { scheme: fileScheme } : {}), pattern: { glob: "**/*" } }];

export function keyOf(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : pathToFileURL(path).href;
}

/** Whether a file is in a folder, by whole names: `flows-old` isn't below `flows`. */
export function isBelow(uri: string, folder: string): boolean {
  const [key, place] = [keyOf(uri), keyOf(folder)];
  return key.startsWith(place.endsWith("/") ? place : `${place}/`);
}

/** The path of the URI of a file, or undefined for any other. */
export function pathOf(uri: string): string | undefined {
  if (!isFileUri(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // `file://host/x` names no file on a system without network paths.
    return undefined;
  }
}

/**
 * Whether a file can be saved, unlike an older version that is only shown (`git:`): only such a file claims a revision.
 */
export function isSavable(uri: string): boolean {
  return isFileUri(uri) || uri.startsWith("untitled:");
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
