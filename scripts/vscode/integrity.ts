/**
 * Checks downloads against `integrity.json`, the hashes recorded when each version was chosen. npm only checks them
 * against the registry's current hashes.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import known from "./integrity.json";

/** `name` includes the version: `code-server@4.139.1`. */
export async function checkArchive(name: string, file: string): Promise<void> {
  expect(
    name,
    `sha512-${createHash("sha512")
      .update(await readFile(file))
      .digest("base64")}`,
  );
}

/** Checks packages that npm installed into a folder. */
export async function checkInstalled(names: readonly string[], folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(folder, "node_modules/.package-lock.json"), "utf8"));
  for (const name of names) expect(name, lock.packages[`node_modules/${name.replace(/@[^@]*$/, "")}`]?.integrity);
}

function expect(name: string, found: string | undefined): void {
  const wanted = (known as Readonly<Record<string, string>>)[name];
  if (wanted === undefined)
    throw new Error(`Setup failed: scripts/vscode/integrity.json has no hash for ${name}. Add it.`);
  if (found !== wanted)
    throw new Error(`Setup failed: the hash of ${name} has changed since it was recorded. Nothing was run.`);
}
