import type { Server } from "./context";

/**
 * Work that nobody waits for, and requests to the editor whose answer says nothing: what goes wrong is said in the log. An
 * editor that refuses what it said it could do must not end the server.
 */
export function inBackground({ connection }: Pick<Server, "connection">, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
