/**
 * The messages of our own between the language server and the VS Code side, typed once. Both sides import this file;
 * it imports nothing at run time but the request types of the protocol library.
 */
import { RequestType } from "vscode-languageserver-protocol";
import type { HttpRequest, HttpResponse, TransportFailure } from "../platform/transport";

/** Server to client: make this request on the connection of the file's workspace. The client alone has the key. */
export const SendRequest = new RequestType<
  { readonly uri?: string; readonly request: HttpRequest; readonly timeoutMs?: number },
  { readonly response: HttpResponse } | { readonly failure: TransportFailure; readonly message: string },
  void
>("assistantFlow/send");

/** What the server is told when it starts; every part is optional, so that any editor can start it. */
export interface InitializationOptions {
  /** Where journals are kept; without it `ASSISTANT_FLOW_STATE_DIR` or the user's state folder. */
  readonly stateDir?: string;
  /** True where the client answers `assistantFlow/send`; else the server talks to the platform itself. */
  readonly clientTransport?: boolean;
}
