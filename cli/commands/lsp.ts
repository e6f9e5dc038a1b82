/** `assistant-flow lsp`: the language server for editors, on standard input and output. */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { connectionOptions, serve } from "../../server";

export async function run(): Promise<number> {
  serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout, connectionOptions()));
  return new Promise(() => undefined);
}
