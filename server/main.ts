/** The language server as a program: `--stdio`, `--node-ipc`, `--socket=N` or `--pipe=NAME`. */
import { setFlagsFromString } from "node:v8";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { connectionOptions } from "./protocol/lifecycle";
import { serve } from "./server";

export * as protocol from "./protocol/to-protocol";
/** For the bundle that syncs (scripts/build.ts), which shares this code instead of holding it a second time. */
export * as flow from "./sync/shared-flow";

// What editing leaves behind is collected early: a server is a guest on the machine, and a collection runs beside the work.
setFlagsFromString("--heap-growing-percent=50");

const transports = ["--stdio", "--node-ipc", "--socket", "--pipe"];
if (process.argv.some((argument) => transports.some((name) => argument.startsWith(name)))) {
  const connection = createConnection(ProposedFeatures.all, connectionOptions());
  serve(connection);
} else {
  process.stderr.write("Say how to talk to the language server: --stdio or --node-ipc.\n");
  process.exitCode = 2;
}
