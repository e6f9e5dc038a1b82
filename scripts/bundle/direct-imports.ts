/**
 * Imports from the entry point of a folder (`index.ts`) become imports from the files that it exports. esbuild splits a
 * program into parts by the files that each part imports, and through an entry point every part imports the whole folder.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";

const IMPORT = /^import \{([^}]*)\} from "(\.\.?(?:\/[^"]*)?)";$/gm;

/** `entryPoint` finds the file that an import of a folder means, or undefined. */
export function directImports(entryPoint: (folder: string) => string | undefined): Plugin {
  return {
    name: "direct-imports",
    setup(build) {
      build.onLoad({ filter: /[^x]\.ts$/ }, ({ path: file }) => {
        if (file.includes("node_modules")) return undefined;
        const contents = readFileSync(file, "utf8").replace(IMPORT, (whole, names: string, from: string) => {
          const index = entryPoint(path.join(path.dirname(file), from));
          // Line breaks stay, for source maps.
          return index && index !== file ? direct(names, exportsOf(index)) + whole.replace(/./g, "") : whole;
        });
        return { contents, loader: "ts" };
      });
    },
  };
}

function direct(names: string, exported: ReadonlyMap<string, Exported>): string {
  return specifiers(names)
    .map(({ name, as }) => {
      const found = exported.get(name);
      if (!found) throw new Error(`${name} isn't exported by name.`);
      return `import { ${found.name} as ${as} } from ${JSON.stringify(found.file)};`;
    })
    .join("");
}

interface Exported {
  readonly file: string;
  readonly name: string;
}

/** The values that a file exports, with the files they come from. */
function exportsOf(file: string): ReadonlyMap<string, Exported> {
  const text = readFileSync(file, "utf8");
  const found = new Map<string, Exported>();
  const fileOf = (from: string) => {
    const place = path.join(path.dirname(file), from);
    return existsSync(`${place}.ts`) ? `${place}.ts` : path.join(place, "index.ts");
  };
  for (const [, names = "", from = ""] of text.matchAll(/^export \{([^}]*)\} from "([^"]*)";$/gm)) {
    const inside = exportsOf(fileOf(from));
    for (const { name, as } of specifiers(names)) found.set(as, inside.get(name) ?? { file: fileOf(from), name });
  }
  for (const [, from = ""] of text.matchAll(/^export \* from "([^"]*)";$/gm))
    for (const [name, each] of exportsOf(fileOf(from))) found.set(name, each);
  const own = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|enum) (\w+)/gm;
  for (const [, name = ""] of text.matchAll(own)) found.set(name, { file, name });
  return found;
}

/** `a, type B, c as d` without types. */
function specifiers(names: string): { readonly name: string; readonly as: string }[] {
  return names
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.split(" as "))
    .map(([name = "", as = name]) => ({ name, as }));
}
