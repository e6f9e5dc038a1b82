#!/usr/bin/env node
/**
 * The program of a VS Code, with the arguments that a desktop one gets from `@vscode/test-electron`; it starts the VS Code
 * from npm packages (scripts/vscode).
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
require("../../scripts/child-processes.cjs");
(await import("tsx/cjs/api")).register();
const { main } = require("./npm-code.ts");
process.exitCode = await main(process.argv.slice(2));
