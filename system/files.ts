/** The file system. */
export { constants, existsSync, type FSWatcher, realpathSync, type Stats, watch } from "node:fs";
export {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  utimes,
} from "node:fs/promises";
export { default as path, dirname, join } from "node:path";
export { fileURLToPath, pathToFileURL } from "node:url";

/** URIs of other schemes aren't files in Node. */
export const fileScheme: string | undefined = "file";

export function isFileUri(uri: string): boolean {
  return uri.startsWith("file:");
}

/** How editors name a file: by its path. */
export function nameInEditor(file: string): string {
  return file;
}
