/**
 * The LSP client library, and how the server is started. The library is larger than the rest of the extension, so it has
 * its own file, loaded after activation (language-client.ts). client/browser/protocol.ts does the same in a browser.
 */
import type * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, TransportKind } from "vscode-languageclient/node";
import { serverNodeOptions } from "../server/messages";

export { CloseAction, ErrorAction } from "vscode-languageclient/node";

/** A client whose server is a process, connected over IPC. */
export function createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): LanguageClient {
  const module = context.asAbsolutePath("dist/server.js");
  const server = { module, transport: TransportKind.ipc, options: { execArgv: [...serverNodeOptions] } };
  return new LanguageClient("assistantFlow", "Assistant Flow", server, options);
}
