/** Reads the example files. They are next to `dist/` in a build and next to `sandbox/` in the sources. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function exampleText(name: string): string {
  return readFileSync(findExample(name), "utf8");
}

function findExample(name: string): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const path = join(folder, "examples", name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) throw new Error(`Example ${name} isn't installed.`);
  }
}
