/** The language server as a program: `--stdio`, `--node-ipc`, `--socket=N` or `--pipe=NAME`. */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { serve } from "./server";

/** For the bundle that syncs (scripts/build.ts), which shares this code instead of holding it a second time. */
export * as flow from "../flow";
export * as protocol from "./to-protocol";

const transports = ["--stdio", "--node-ipc", "--socket", "--pipe"];
if (process.argv.some((argument) => transports.some((name) => argument.startsWith(name)))) {
  const connection = createConnection(ProposedFeatures.all);
  serve(connection);
} else {
  process.stderr.write("Say how to talk to the language server: --stdio or --node-ipc.\n");
  process.exitCode = 2;
}
