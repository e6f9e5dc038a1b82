/** `assistant-flow lsp`: the language server for editors, on standard input and output. */
import { serveOnStdio } from "../../server";

export async function run(): Promise<number> {
  await serveOnStdio();
  return new Promise(() => undefined);
}
