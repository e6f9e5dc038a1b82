import type { Server } from "../context";

/** Work that nobody waits for: what goes wrong in it is said in the log. */
export function inBackground({ connection }: Pick<Server, "connection">, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
