/** Entry point of the language server in a web worker, whose messages come from the extension. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import { setFileSource } from "../system/browser";
import { ask, ListFolderRequest, ReadFileRequest, StatFileRequest } from "./messages";
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
});
serve(connection);
// Messages that arrived while this file was loaded are lost, so the extension waits for this one.
worker.postMessage("ready");
