#!/usr/bin/env node
/** Entry point of the language server: `--stdio`, `--node-ipc`, `--socket=N` or `--pipe=NAME`. */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { collectEarly } from "../system";
import { connectionOptions } from "./protocol/lifecycle";
import { serve } from "./server";

collectEarly();

const transports = ["--stdio", "--node-ipc", "--socket", "--pipe"];
if (process.argv.some((argument) => transports.some((name) => argument.startsWith(name)))) {
  const connection = createConnection(ProposedFeatures.all, connectionOptions());
  serve(connection);
} else {
  process.stderr.write("Pass a transport: --stdio or --node-ipc.\n");
  process.exitCode = 2;
}
