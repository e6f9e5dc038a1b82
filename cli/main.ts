#!/usr/bin/env node
/** The entry point of the command line. */
import { run } from "./run";
import { processTerminal } from "./terminal";

run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
