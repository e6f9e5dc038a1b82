/** The file system. */
export { constants, existsSync, realpathSync, type Stats } from "node:fs";
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
