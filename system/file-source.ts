/** The editor's file systems, for code that runs in a browser. Files are named by their URIs. */
export interface FileSource {
  /** Undefined if there's no such file. */
  stat(uri: string): Promise<FileInfo | undefined>;
  /** The entries of a folder; undefined if it can't be listed. */
  list(uri: string): Promise<readonly FileEntry[] | undefined>;
  /** Undefined if the file can't be read. */
  read(uri: string): Promise<Uint8Array | undefined>;
  /** These change files; absent if files are only read. */
  createFolder?(uri: string): Promise<void>;
  write?(uri: string, content: Uint8Array): Promise<void>;
  /** Replaces the file `to`. */
  rename?(from: string, to: string): Promise<void>;
  remove?(uri: string): Promise<void>;
}

export interface FileInfo {
  readonly kind: FileEntry["kind"];
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
}

export interface FileEntry {
  readonly name: string;
  /** Files that a link points to aren't read: it may lead out of the folder, and only the editor could tell. */
  readonly kind: "file" | "folder" | "link" | "other";
}
