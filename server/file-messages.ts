/** Server to client, in a browser only: the functions of `FileSource` (system/file-source.ts). */
import type { FileEntry, FileInfo } from "../system";
import type { Message } from "./messages";

interface OfFile {
  readonly uri: string;
}

export const StatFileRequest: Message<OfFile, FileInfo | null> = { method: "assistantFlow/statFile" };
export const ListFolderRequest: Message<OfFile, readonly FileEntry[] | null> = { method: "assistantFlow/listFolder" };
export const ReadFileRequest: Message<OfFile, Uint8Array | null> = { method: "assistantFlow/readFile" };
export const WriteFileRequest: Message<OfFile & { readonly content: Uint8Array }, null> = {
  method: "assistantFlow/writeFile",
};
export const RenameFileRequest: Message<OfFile & { readonly to: string }, null> = {
  method: "assistantFlow/renameFile",
};
export const RemoveFileRequest: Message<OfFile, null> = { method: "assistantFlow/removeFile" };
