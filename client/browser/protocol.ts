/** The LSP client library in a browser, and how the server is started there (see client/protocol.ts). */
import * as vscode from "vscode";
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
} from "vscode-languageclient/browser";
import {
  ListFolderRequest,
  ReadFileRequest,
  RemoveFileRequest,
  RenameFileRequest,
  StatFileRequest,
  WriteFileRequest,
} from "../../server/file-messages";
import type { Message } from "../../server/messages";
import { workspaceFiles } from "./workspace-files";

export { CloseAction, ErrorAction } from "vscode-languageclient/browser";

/** A global of web workers, which the types of Node don't have. */
declare class Worker {
  constructor(script: string, options: { readonly name: string });
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message: string }) => void) | null;
  terminate(): void;
}

/** A client whose server is a web worker, which reads and writes files through VS Code. */
export function createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): LanguageClient {
  const program = vscode.Uri.joinPath(context.extensionUri, "dist/web/server.js").toString(true);
  const client = new LanguageClient("assistantFlow", "Assistant Flow", () => startWorker(program), options);
  const { stat, list, read, write, rename, remove } = workspaceFiles;
  const answer = <Params>({ method }: Message<Params, unknown>, act: (params: Params) => Promise<unknown>) =>
    client.onRequest(method, async (params: Params) => (await act(params)) ?? null);
  answer(StatFileRequest, ({ uri }) => stat(uri));
  answer(ListFolderRequest, ({ uri }) => list(uri));
  answer(ReadFileRequest, ({ uri }) => read(uri));
  answer(WriteFileRequest, ({ uri, content }) => write(uri, content));
  answer(RenameFileRequest, ({ uri, to }) => rename(uri, to));
  answer(RemoveFileRequest, ({ uri }) => remove(uri));
  return client;
}

/**
 * VS Code starts workers from classic scripts only, and the server is a module, so the script imports it. The server
 * says when it is ready, because earlier messages would be lost.
 */
function startWorker(program: string): Promise<MessageTransports> {
  const source = `import(${JSON.stringify(program)}).catch((error) => setTimeout(() => { throw error; }));`;
  const script = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(script, { name: "Assistant Flow" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data !== "ready") return;
      worker.onmessage = null;
      worker.onerror = null;
      URL.revokeObjectURL(script);
      // The library doesn't recognize VS Code's workers as such.
      resolve({ reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) });
    };
    worker.onerror = ({ message }) => {
      worker.terminate();
      reject(new Error(message));
    };
  });
}
