import type { ServerContext } from "./context";

/**
 * Runs work that no request waits for, and requests to the editor whose answer isn't needed. Errors are logged: an
 * editor that rejects a request it declared support for must not end the server.
 */
export function inBackground({ connection }: Pick<ServerContext, "connection">, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
