/**
 * Bundles all entry points into dist/: the extension, the server, the command line, and for each page of webview/ its
 * code (`page.ts`), workers (`*-worker.ts`) and styles; then the SBOM, the notices of bundled packages, and the pages that
 * VS Code shows for the extension. `--watch`
 * rebuilds on each change, with source maps.
 */
import { existsSync, watch as observe, readdirSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BuildOptions, context, type OutputFile, type Plugin, transform } from "esbuild";
import { SBOM, writeBundled } from "./bundle/sbom";
import { webBundles } from "./bundle/web-build";
import { codeFolders, filesBelow, inProject, isPlaceholder, manifest, root } from "./project";

export async function main(args: readonly string[]): Promise<void> {
  await (args.includes("--watch") ? watch() : build());
}

/** Builds a minified bundle, or a readable one with source maps for debugging. */
export async function build({ debug = false, quiet = false } = {}): Promise<void> {
  if (process.env.ASSISTANT_FLOW_BUILT) return; // A test run builds once, and its parts must not replace dist/.
  const begin = new Date();
  const contexts = await bundles(debug, quiet);
  const results = await Promise.all(contexts.map((each) => each.rebuild()));
  await Promise.all(contexts.map((each) => each.dispose()));
  const files = results.flatMap(({ outputFiles = [] }) => outputFiles);
  await putInPlace(files);
  await removeOthers(files);
  await writeExtensionPages();
  await writeBundled(results.flatMap(({ metafile }) => metafile ?? []));
  await utimes(inProject(SBOM), begin, begin); // What changed during the build may not be in it.
}

/** Builds unless dist/ has a minified build that is newer than everything it may be made of. */
export async function ensureBuilt(): Promise<void> {
  const sources = [...codeFolders, "scripts", "package.json", "package-lock.json", "README.md", "CHANGELOG.md"];
  const isBuilt = existsSync(inProject(SBOM)) && filesBelow("dist", ".map").length === 0;
  if (!isBuilt || lastChange(sources) >= statSync(inProject(SBOM)).mtimeMs) await build({ quiet: true });
}

/** When one of these files, or of the files below these folders, last changed. A folder changes when files come or go. */
function lastChange(names: readonly string[]): number {
  const times = names.flatMap((name) => {
    const place = inProject(name);
    const below = statSync(place).isDirectory() ? readdirSync(place, { recursive: true, encoding: "utf8" }) : [];
    return [place, ...below.map((file) => path.join(place, file))].map((file) => statSync(file).mtimeMs);
  });
  return Math.max(...times);
}

/** Programs may be running from dist/, so each file is replaced atomically. */
async function putInPlace(files: readonly OutputFile[]): Promise<void> {
  for (const { path: file, contents } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    const beside = `${file}.${process.pid}`;
    await writeFile(beside, contents);
    await rename(beside, file);
  }
}

async function removeOthers(files: readonly OutputFile[]): Promise<void> {
  const made = new Set(files.map((file) => file.path));
  const old = [".js", ".css", ".map"].flatMap((ending) => filesBelow("dist", ending)).map((file) => inProject(file));
  await Promise.all(old.filter((file) => !made.has(file)).map((file) => rm(file, { force: true })));
}

/**
 * esbuild's own watcher polls and takes seconds to notice a change; the system's watcher is immediate. Only bundles
 * that contain a changed file are rebuilt. .vscode/tasks.json waits for the printed lines.
 */
async function watch(): Promise<void> {
  const bundled = (await bundles(true, false)).map((context) => ({
    context,
    inputs: undefined as object | undefined,
  }));
  const changed = new Set<string>();
  let pending: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const rebuild = async () => {
    const begin = Date.now();
    const files = [...changed];
    changed.clear();
    // A failed bundle has no list of inputs, so any change may fix it.
    const stale = bundled.filter(({ inputs }) => !inputs || files.some((file) => file in inputs));
    if (stale.length === 0) return;
    console.log("[watch] build started");
    await Promise.all(
      stale.map(async (each) => {
        each.inputs = await each.context.rebuild().then(
          async ({ metafile, outputFiles = [] }) => {
            await putInPlace(outputFiles);
            return metafile?.inputs;
          },
          () => undefined, // esbuild has printed the errors.
        );
      }),
    );
    console.log(`[watch] build finished in ${Date.now() - begin} ms`);
  };
  // Watching starts first, so that changes during the first build aren't missed.
  for (const folder of codeFolders.filter((each) => existsSync(inProject(each)))) {
    observe(inProject(folder), { recursive: true }, (_event, name) => {
      if (name) changed.add(path.posix.join(folder, name.replaceAll(path.sep, "/")));
      clearTimeout(pending);
      pending = setTimeout(() => {
        running = running.then(rebuild);
      }, 20);
    });
  }
  running = rebuild();
  await running;
}

async function bundles(debug: boolean, quiet: boolean) {
  const shared: BuildOptions = {
    write: false,
    absWorkingDir: root,
    bundle: true,
    minify: !debug,
    sourcemap: debug,
    metafile: true,
    logLevel: quiet ? "warning" : "info",
  };
  const entries: BuildOptions[] = [
    nodePrograms(shared, { client: "client/extension.ts" }),
    nodePrograms(shared, { "client-protocol": "client/protocol.ts" }),
    // The server shares no parts with the programs below, so that it starts from few files.
    nodePrograms(shared, { server: "server/main.ts", "server-sync": "server/sync/service.ts" }, [withoutNotebooks]),
    nodePrograms(shared, {
      cli: "cli/main.ts",
      "check-worker": "cli/check/check-worker.ts",
      "client-debug": "client/debug/adapter.ts",
      "digest-worker": "server/workspace/digest-worker.ts",
      "test-worker": "server/testing/worker.ts",
    }),
    ...webBundles(shared),
  ];
  const page: BuildOptions = { ...shared, platform: "browser", format: "iife", target: "es2022" };
  for (const file of [...filesBelow("webview", "page.ts"), ...filesBelow("webview", "-worker.ts")]) {
    // The page a file belongs to, also where it is in a folder inside it.
    const folder = file.replaceAll(path.sep, "/").split("/")[1];
    const name = file.endsWith("page.ts") ? folder : `${folder}-${path.basename(file, "-worker.ts")}`;
    entries.push({ ...page, entryPoints: [file], outfile: `dist/webview/${name}.js` });
  }
  for (const file of filesBelow("webview", ".css")) {
    const folder = path.basename(path.dirname(file));
    if (folder === "page" || path.basename(file, ".css") !== folder) continue; // Imported by the styles of pages.
    entries.push({ ...page, entryPoints: [file], outfile: `dist/webview/${path.basename(file)}` });
  }
  return Promise.all(entries.map((entry) => context(entry)));
}

/**
 * Programs for Node, named after their files in dist/. Code that several of them use, and code that is loaded by
 * `import()`, is in parts that they load.
 */
function nodePrograms(
  shared: BuildOptions,
  entryPoints: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
): BuildOptions {
  return {
    ...shared,
    entryPoints,
    outdir: "dist",
    platform: "node",
    format: "esm",
    splitting: true,
    chunkNames: "part-[hash]",
    target: NODE,
    // `module` first, because the CommonJS builds of some packages can't be bundled.
    mainFields: ["module", "main"],
    external: ["vscode"],
    // `asCommonJs` reads it from the code, and writes it to a file.
    sourcemap: shared.sourcemap && "inline",
    plugins: [programsApart, ...plugins, asCommonJs],
  };
}

const NODE = "node20";

/** Imports of these modules load another program, instead of repeating its code. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "client/debug/adapter": "./client-debug.js",
  "client/protocol": "./client-protocol.js",
  "server/main": "./server.js",
  "server/testing/run": "./test-worker.js",
};

const programsApart: Plugin = {
  name: "programs-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path: wanted, resolveDir }) => {
      const file = path.relative(root, path.resolve(resolveDir, wanted)).replaceAll(path.sep, "/");
      const program = kind === "dynamic-import" ? PROGRAMS[file] : undefined;
      return program ? { path: program, external: true } : undefined;
    });
  },
};

/** The server has no notebooks and doesn't look for modules, so it doesn't contain the library's code for them. */
const withoutNotebooks: Plugin = {
  name: "without-notebooks",
  setup(build) {
    build.onLoad(
      {
        filter: /vscode-languageserver(-protocol)?[\\/]lib[\\/](common[\\/](protocol\.)?notebook|node[\\/]files)\.js$/,
      },
      () => ({ contents: "exports.NotebookSyncFeature = (Base) => Base;" }),
    );
  },
};

/**
 * esbuild makes parts of ES modules only. CommonJS starts faster (the server by 3 % on Node 20 and 16 % on Node 22), and
 * VS Code can load it.
 */
const asCommonJs: Plugin = {
  name: "as-common-js",
  setup(build) {
    const { minify, sourcemap } = build.initialOptions;
    build.onEnd(async ({ outputFiles = [] }) => {
      const maps = await Promise.all(
        outputFiles.map(async (file): Promise<OutputFile[]> => {
          const options = { format: "cjs", platform: "node", target: NODE, minify } as const;
          const { code, map } = await transform(file.text, {
            ...options,
            supported: { "dynamic-import": false },
            sourcefile: file.path,
            sourcemap: sourcemap ? "external" : false,
          });
          if (!map) {
            file.contents = Buffer.from(code);
            return [];
          }
          // VS Code's debugger finds breakpoints through map files, but not through maps inside the code.
          file.contents = Buffer.from(`${code}//# sourceMappingURL=${path.basename(file.path)}.map\n`);
          return [{ path: `${file.path}.map`, contents: Buffer.from(map), hash: file.hash, text: map }];
        }),
      );
      outputFiles.push(...maps.flat());
    });
  },
};

/**
 * Generates the pages that VS Code shows for an installed extension from README.md and CHANGELOG.md, where the
 * manifest's `vsce` options expect them.
 */
async function writeExtensionPages(): Promise<void> {
  const pages = { "README.md": manifest.vsce.readmePath, "CHANGELOG.md": manifest.vsce.changelogPath };
  for (const [source, target] of Object.entries(pages)) {
    const text = withoutSources(await readFile(inProject(source), "utf8"));
    await mkdir(path.dirname(inProject(target)), { recursive: true });
    await writeFile(inProject(target), isPlaceholder(manifest.repository) ? detached(text) : text);
  }
}

/** Readers of this page have the extension, not its sources. */
function withoutSources(page: string): string {
  const sections = page.split(/^(?=## )/m);
  return sections
    .filter((section) => !/^## (Install|Try it from this repository|Development)\n/.test(section))
    .join("");
}

/**
 * VS Code's extension page only supports https images and links, not files of the extension. Once the manifest names a
 * repository, vsce rewrites them to point there; until then they would be broken, so they are removed, with the
 * sentences and brackets that refer to them.
 */
function detached(page: string): string {
  const blocks = page.split("\n\n").filter((block) => !block.includes("!["));
  const document = String.raw`\[docs/[^\]]+\]\([^)]+\)(?:,\s+)?`;
  return blocks
    .join("\n\n")
    .replace(new RegExp(String.raw`\s+(?:\((?:${document})+\)|(?<=\.\s+)(?:${document})+)`, "g"), "")
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]+\)/g, "$1");
}
