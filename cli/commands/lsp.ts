/** `assistant-flow lsp`: the language server for editors, on standard input and output. */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { serve } from "../../server";

export async function run(): Promise<number> {
  serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout));
  return new Promise(() => undefined);
}
