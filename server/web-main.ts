/** Entry point of the language server in a web worker, whose messages come from the extension. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import { setFileSource } from "../system/browser";
import {
  ListFolderRequest,
  ReadFileRequest,
  RemoveFileRequest,
  RenameFileRequest,
  StatFileRequest,
  WriteFileRequest,
} from "./file-messages";
import { ask } from "./messages";
import { connectionOptions } from "./protocol/lifecycle";
import { serve } from "./server";

const worker = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
const connection = createConnection(
  new BrowserMessageReader(worker),
  new BrowserMessageWriter(worker),
  connectionOptions(),
);
setFileSource({
  stat: async (uri) => (await ask(connection, StatFileRequest, { uri })) ?? undefined,
  list: async (uri) => (await ask(connection, ListFolderRequest, { uri })) ?? undefined,
  read: async (uri) => (await ask(connection, ReadFileRequest, { uri })) ?? undefined,
  write: async (uri, content) => void (await ask(connection, WriteFileRequest, { uri, content })),
  rename: async (uri, to) => void (await ask(connection, RenameFileRequest, { uri, to })),
  remove: async (uri) => void (await ask(connection, RemoveFileRequest, { uri })),
});
serve(connection);
// Messages that arrived while this file was loaded are lost, so the extension waits for this one.
worker.postMessage("ready");
