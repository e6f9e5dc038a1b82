#!/usr/bin/env node
/**
 * Used by `@vscode/test-electron` as the program of a desktop VS Code, with the same arguments; it starts the VS Code
 * from npm packages (scripts/vscode).
 */
import { createRequire } from "node:module";

(await import("tsx/cjs/api")).register();
const { main } = createRequire(import.meta.url)("./npm-code.ts");
process.exitCode = await main(process.argv.slice(2));
