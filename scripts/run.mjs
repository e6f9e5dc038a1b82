/**
 * The door to every script of this folder: `node scripts/run.mjs <name> [arguments]`. It checks Node, installs the
 * project's packages where they are missing or out of date, and runs `<name>.ts`. It is plain JavaScript and imports
 * nothing that has to be installed first.
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
// What `npm start` leaves behind is nothing, so tsx must not keep a cache in the temporary folder then.
if (name === "start") process.env.TSX_DISABLE_CACHE = "1";
// As `node --import tsx` would, but after the packages are there.
(await import("tsx/cjs/api")).register();
(await import("tsx/esm/api")).register();
const script = createRequire(import.meta.url)(`./${name}.ts`);
try {
  await script.main(args);
} catch (error) {
  // What a person can act on is an Error with a plain message; DEBUG shows where it came from.
  fail(process.env.DEBUG && error instanceof Error ? error.stack : error instanceof Error ? error.message : error);
}

/** @param {unknown} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
