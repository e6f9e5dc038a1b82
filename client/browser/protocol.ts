/** The LSP client library in a browser, and how the server is started there (see client/protocol.ts). */
import * as vscode from "vscode";
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
} from "vscode-languageclient/browser";
import { ListFolderRequest, ReadFileRequest, StatFileRequest } from "../../server/messages";
import { workspaceFiles } from "./workspace-files";

export { CloseAction, ErrorAction } from "vscode-languageclient/browser";

/** A global of web workers, which the types of Node don't have. */
declare class Worker {
  constructor(script: string, options: { readonly name: string });
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message: string }) => void) | null;
  terminate(): void;
}

/** A client whose server is a web worker, which reads files through VS Code. */
export function createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): LanguageClient {
  const program = vscode.Uri.joinPath(context.extensionUri, "dist/web/server.js").toString(true);
  const client = new LanguageClient("assistantFlow", "Assistant Flow", () => startWorker(program), options);
  const { stat, list, read } = workspaceFiles;
  const answer = (method: string, get: (uri: string) => Promise<unknown>) =>
    client.onRequest(method, async ({ uri }: { readonly uri: string }) => (await get(uri)) ?? null);
  answer(StatFileRequest.method, stat);
  answer(ListFolderRequest.method, list);
  answer(ReadFileRequest.method, read);
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
