#!/usr/bin/env node
/**
 * Stands where `@vscode/test-electron` expects the program of a desktop VS Code and takes the same arguments; the VS Code
 * it starts is the one of npm packages (scripts/vscode).
 */
import { createRequire } from "node:module";

(await import("tsx/cjs/api")).register();
const { main } = createRequire(import.meta.url)("./npm-code.ts");
process.exitCode = await main(process.argv.slice(2));
