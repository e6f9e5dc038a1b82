/**
 * The state of sync, a folder of small text files that all windows of a user share: on disk, or in a browser's database.
 * Writes survive a power failure only after the file is flushed, renames only after the folder is.
 */
export interface StateStore {
  read(name: string): Promise<string | undefined>;
  /** Not atomic: for names that no other process reads yet. */
  write(name: string, text: string): Promise<void>;
  /** Writes a file atomically. */
  replace(name: string, text: string): Promise<void>;
  flush(name: string): Promise<void>;
  /** Atomic; replaces `to`. */
  rename(from: string, to: string): Promise<void>;
  flushFolder(): Promise<void>;
  /** Creates a file atomically; false if it exists. */
  create(name: string, text: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** The names with this ending, the last changed first. */
  list(ending: string): Promise<string[]>;
  /** Identifies this process to others that use the same files. */
  readonly process: string;
  /** True only if the process has certainly ended. */
  isGone(process: string): Promise<boolean>;
}

/** The state in a browser; undefined where it is in a folder. */
export function browserState(): StateStore | undefined {
  return undefined;
}
