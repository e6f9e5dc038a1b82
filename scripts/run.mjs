/**
 * Runs a script of this folder: `node scripts/run.mjs <name> [arguments]`. Checks the Node version, installs missing or
 * outdated packages, and runs `<name>.ts`. Plain JavaScript without dependencies.
 */
import { createRequire } from "node:module";
import process from "node:process";

const [name, ...args] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Assistant Flow needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
}
const { ensurePackages, ensurePlainNpm } = await import("./packages.mjs");
try {
  ensurePlainNpm();
  await ensurePackages();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
// `npm start` leaves no files, so tsx must not keep a cache in the temporary folder.
if (name === "start") process.env.TSX_DISABLE_CACHE = "1";
// Like `node --import tsx`, after the packages are installed.
(await import("tsx/cjs/api")).register();
(await import("tsx/esm/api")).register();
const script = createRequire(import.meta.url)(`./${name}.ts`);
try {
  await script.main(args);
} catch (error) {
  // Expected errors have a plain message; DEBUG shows the stack.
  fail(process.env.DEBUG && error instanceof Error ? error.stack : error instanceof Error ? error.message : error);
}

/** @param {unknown} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
