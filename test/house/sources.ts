/** Reads the imports of the project's sources for the tests in this folder. */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { filesBelow, inProject } from "../../scripts/project";

export interface Import {
  readonly file: string;
  /** As in the source. */
  readonly from: string;
  readonly typeOnly: boolean;
  /** Loaded on demand by `import()`. */
  readonly lazy: boolean;
  /** For an import of ours, the path in the project without extension; for a package, its name. */
  readonly target: string;
  readonly kind: "ours" | "package" | "node";
}

export function importsBelow(folder: string): Import[] {
  return [...filesBelow(folder, ".ts"), ...filesBelow(folder, ".mjs")].flatMap(importsOf);
}

const statement =
  /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)|\brequire\(\s*["']([^"'\n]+)["']\s*\)/gm;

function importsOf(file: string): Import[] {
  const text = readFileSync(inProject(file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(statement)].map((match): Import => {
    const from = match[2] ?? match[3] ?? match[4] ?? "";
    const typeOnly = match[1] !== undefined;
    const lazy = match[3] !== undefined;
    if (from.startsWith(".")) {
      const target = path.join(path.dirname(file), from).replaceAll(path.sep, "/");
      return { file, from, typeOnly, lazy, target, kind: "ours" };
    }
    if (isBuiltin(from)) return { file, from, typeOnly, lazy, target: from, kind: "node" };
    const target = from
      .split("/")
      .slice(0, from.startsWith("@") ? 2 : 1)
      .join("/");
    return { file, from, typeOnly, lazy, target, kind: "package" };
  });
}
