/** The requests that only read: each handler takes the file, asks one function of features/, converts and returns. */
import type { ServerCapabilities } from "vscode-languageserver";
import type { Server } from "./server";

export function registerReading(server: Server): ServerCapabilities {
  const { connection, diagnostics } = server;
  connection.languages.diagnostics.on((params) => ({
    kind: "full" as const,
    items: server.answer(params, [], (file) => diagnostics.of(file)),
  }));
  return {
    diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
  };
}
