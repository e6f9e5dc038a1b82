/**
 * What the set-up unpacks and runs is what was looked at when its version was chosen. npm holds a download to what the
 * registry says of it today; `integrity.json` holds it to what the registry said then.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import known from "./integrity.json";

/** `name` has the version: `code-server@4.139.1`. */
export async function checkArchive(name: string, file: string): Promise<void> {
  expect(
    name,
    `sha512-${createHash("sha512")
      .update(await readFile(file))
      .digest("base64")}`,
  );
}

/** What npm has put into a folder. */
export async function checkInstalled(names: readonly string[], folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(folder, "node_modules/.package-lock.json"), "utf8"));
  for (const name of names) expect(name, lock.packages[`node_modules/${name.replace(/@[^@]*$/, "")}`]?.integrity);
}

function expect(name: string, found: string | undefined): void {
  const wanted = (known as Readonly<Record<string, string>>)[name];
  if (wanted === undefined)
    throw new Error(`Set-up stopped: scripts/vscode/integrity.json does not know ${name}. Add it with its version.`);
  if (found !== wanted)
    throw new Error(`Set-up stopped: ${name} is not what it was when it was chosen. Nothing of it was run.`);
}
