#!/usr/bin/env node
/**
 * Acts as the VS Code program: takes the arguments that `@vscode/test-electron` passes to a desktop VS Code, and starts
 * the VS Code from npm packages (scripts/vscode).
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
require("../../scripts/child-processes.cjs");
(await import("tsx/cjs/api")).register();
const { main } = require("./npm-code.ts");
process.exitCode = await main(process.argv.slice(2));
