/** An exported value has a user in another file. Types may be exported for the signatures that need them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";

/** How many unused values each folder still exports. A number only ever goes down. */
const known: Readonly<Record<string, number>> = { flow: 2, sync: 1 };

/**
 * Values that are used from outside: VS Code activates the extension, scripts/run.mjs runs `main` of a script, and the
 * build puts system/browser/ in place of system/, which has the same values (test/unit/system/browser.test.ts), and
 * client/browser/ in place of files of client/.
 */
const isEntryPoint = (value: string) =>
  value === "client/extension.ts activate" || /^(scripts\/[\w-]+\.ts main$|(system|client)\/browser\/)/.test(value);

test("every exported value is used in another file", () => {
  const product = [...codeFolders, "scripts"].flatMap((folder) => filesBelow(folder, ".ts"));
  const users = ["test", "bench"].flatMap((folder) => [...filesBelow(folder, ".ts"), ...filesBelow(folder, ".mjs")]);
  const texts = new Map([...product, ...users].map((file) => [file, readFileSync(inProject(file), "utf8")]));
  const counts = new Map<string, number>();
  const unused = unusedValues(texts, new Set(product)).filter((value) => !isEntryPoint(value));
  const fresh = unused.filter((value) => {
    const folder = value.split("/")[0] ?? "";
    const count = (counts.get(folder) ?? 0) + 1;
    counts.set(folder, count);
    return count > (known[folder] ?? 0);
  });
  assert.deepEqual(fresh, []);
});

test("a value counts as used through an index, a namespace or a lazy import", () => {
  const texts = new Map([
    ["a/index.ts", 'export { first, second } from "./values";\nexport * from "./more";'],
    ["a/values.ts", "export const first = 1;\nexport function second() {}\nexport class Third {}"],
    ["a/more.ts", 'export * from "./most";'],
    ["a/most.ts", "export const fourth = 4;\nexport const fifth = 5;"],
    ["b.ts", 'import { first, fourth as other } from "./a";\nconst { second } = await import("./a/values");'],
  ]);
  assert.deepEqual(unusedValues(texts, new Set(texts.keys())), ["a/index.ts second", "a/most.ts fifth"]);
});

interface ReExport {
  readonly file: string;
  readonly name: string;
  readonly source: string;
  readonly original: string;
}

/** `file name` for each value that a file of the product exports and no other file uses. */
function unusedValues(texts: ReadonlyMap<string, string>, product: ReadonlySet<string>): string[] {
  const resolve = (file: string, from: string) => {
    const target = path.posix.join(path.posix.dirname(file.replaceAll(path.sep, "/")), from);
    return [`${target}.ts`, `${target}/index.ts`, target].find((each) => texts.has(each)) ?? target;
  };
  const used = new Set<string>();
  const everything = new Set<string>();
  const values: string[] = [];
  const reExports: ReExport[] = [];
  const stars: { readonly file: string; readonly source: string }[] = [];
  for (const [file, whole] of texts) {
    const text = whole.replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, kind, list = "", from = ""] of text.matchAll(
      /^(import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from\s+"(\.[^"]*)"/gm,
    ))
      for (const item of list.split(",")) {
        const [original = "", name = original] = item
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/);
        if (kind === "import") used.add(`${resolve(file, from)} ${original}`);
        else if (original) reExports.push({ file, name, source: resolve(file, from), original });
      }
    for (const [, from = ""] of text.matchAll(/^export \* from "(\.[^"]*)"/gm))
      stars.push({ file, source: resolve(file, from) });
    for (const [, first, second] of text.matchAll(
      /^import \* as \w+ from "(\.[^"]*)"|\b(?:import|require)\(\s*"(\.[^"]*)"\s*\)/gm,
    ))
      everything.add(resolve(file, first ?? second ?? ""));
    for (const [, name] of text.matchAll(
      /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/gm,
    ))
      values.push(`${file} ${name}`);
    for (const [, list = ""] of text.matchAll(/^export const [{[]([^=]*)[}\]] =/gm))
      for (const name of list.match(/\w+/g) ?? []) values.push(`${file} ${name}`);
  }
  const isUsed = (file: string, name: string) => used.has(`${file} ${name}`) || everything.has(file);
  for (let size = -1; size !== used.size; ) {
    size = used.size;
    for (const { file, name, source, original } of reExports) if (isUsed(file, name)) used.add(`${source} ${original}`);
    for (const { file, source } of stars)
      for (const value of used) if (value.startsWith(`${file} `)) used.add(`${source}${value.slice(file.length)}`);
  }
  const declared = new Set(values);
  const passedOn = reExports
    .filter(({ source, original }) => declared.has(`${source} ${original}`))
    .map(({ file, name }) => `${file} ${name}`);
  const faces = new Set(reExports.map(({ source, original }) => `${source} ${original}`));
  return [...values.filter((value) => !faces.has(value)), ...passedOn]
    .filter((value) => product.has(value.split(" ")[0] ?? ""))
    .filter((value) => !isUsed(...(value.split(" ") as [string, string])))
    .sort();
}
