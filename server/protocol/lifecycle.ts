/**
 * Enforces the protocol's lifecycle. Before `initialize` and after `shutdown`, requests get the error the protocol
 * defines and notifications are ignored. A request that is cancelled before it starts is answered at once and never
 * runs.
 */
import {
  type Connection,
  type ConnectionOptions,
  ErrorCodes,
  LSPErrorCodes,
  type Message,
  type RequestMessage,
  ResponseError,
} from "vscode-languageserver";

const REFUSED = "assistantFlow/refused";

export function connectionOptions(): ConnectionOptions {
  let state: "new" | "running" | "ended" = "new";
  const refusal = (method: string): { code: number; message: string } | undefined => {
    if (state === "ended") return { code: ErrorCodes.InvalidRequest, message: "The server is shutting down." };
    if (state === "new" && method !== "initialize")
      return { code: ErrorCodes.ServerNotInitialized, message: "The server isn't initialized yet." };
    if (state === "running" && method === "initialize")
      return { code: ErrorCodes.InvalidRequest, message: "The server is already initialized." };
    return undefined;
  };
  return {
    connectionStrategy: {
      cancelUndispatched: (request) => ({
        jsonrpc: "2.0",
        id: (request as RequestMessage).id,
        error: { code: LSPErrorCodes.RequestCancelled, message: "The request was cancelled." },
      }),
    },
    messageStrategy: {
      handleMessage(message, next) {
        const { method, id } = message as Message & { readonly method?: string; readonly id?: number | string };
        // A message without a method answers one of our requests; `exit` is always handled.
        if (method === undefined || method === "exit") return next(message);
        const refused = refusal(method);
        if (!refused) {
          if (method === "initialize") state = "running";
          else if (method === "shutdown") state = "ended";
          return next(message);
        }
        if (id !== undefined) return next({ jsonrpc: "2.0", id, method: REFUSED, params: refused } as Message);
      },
    },
  };
}

/** Answers the requests that `connectionOptions` rejected. */
export function registerRefusal(connection: Connection): void {
  connection.onRequest(REFUSED, ({ code, message }: { readonly code: number; readonly message: string }) => {
    throw new ResponseError(code, message);
  });
}
