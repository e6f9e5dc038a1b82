/**
 * Bundles all entry points into dist/: the extension, the server, the command line, and for each page of webview/ its
 * code (`page.ts`), workers (`*-worker.ts`) and styles; then the SBOM, the notices of bundled packages, and the pages that
 * VS Code shows for the extension. `--watch`
 * rebuilds on each change, with source maps.
 */
import { existsSync, watch as observe } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BuildOptions, context, build as esbuild, type OutputFile, type Plugin } from "esbuild";
import { writeBundled } from "./bundled";
import { writeExtensionPages } from "./extension-pages";
import { codeFolders, filesBelow, inProject, root } from "./project";
import { webBundles } from "./web-build";

export async function main(args: readonly string[]): Promise<void> {
  await (args.includes("--watch") ? watch() : build());
}

/** Builds a minified bundle, or a readable one with source maps for debugging. */
export async function build({ debug = false, quiet = false } = {}): Promise<void> {
  if (process.env.ASSISTANT_FLOW_BUILT) return; // A test run builds once, and its parts must not replace dist/.
  const contexts = await bundles(debug, quiet, false);
  const results = await Promise.all(contexts.map((each) => each.rebuild()));
  await Promise.all(contexts.map((each) => each.dispose()));
  await putInPlace(results.flatMap(({ outputFiles = [] }) => outputFiles));
  await writeBundled(results.flatMap(({ metafile }) => metafile ?? []));
  await writeExtensionPages();
}

/** Programs may be running from dist/, so each file is replaced atomically, and only obsolete files are removed. */
async function putInPlace(files: readonly OutputFile[]): Promise<void> {
  for (const { path: file, contents } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    const beside = `${file}.${process.pid}`;
    await writeFile(beside, contents);
    await rename(beside, file);
  }
  const made = new Set(files.map((file) => file.path));
  const old = [".js", ".css", ".map"].flatMap((ending) => filesBelow("dist", ending)).map((file) => inProject(file));
  await Promise.all(old.filter((file) => !made.has(file)).map((file) => rm(file, { force: true })));
}

/**
 * esbuild's own watcher polls and takes seconds to notice a change; the system's watcher is immediate. Only bundles
 * that contain a changed file are rebuilt. .vscode/tasks.json waits for the printed lines.
 */
async function watch(): Promise<void> {
  const bundled = (await bundles(true, false, true)).map((context) => ({
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
          ({ metafile }) => metafile?.inputs,
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

async function bundles(debug: boolean, quiet: boolean, write: boolean) {
  const shared: BuildOptions = {
    write,
    absWorkingDir: root,
    bundle: true,
    minify: !debug,
    sourcemap: debug,
    metafile: true,
    logLevel: quiet ? "warning" : "info",
  };
  // `module` first, because the CommonJS builds of some packages can't be bundled.
  const node: BuildOptions = {
    ...shared,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
  };
  /** Programs can be started by name where npm installs them. */
  const program = { js: "#!/usr/bin/env node" };
  const entries: BuildOptions[] = [
    {
      ...node,
      entryPoints: ["client/extension.ts"],
      outfile: "dist/client.js",
      external: ["vscode"],
      plugins: [protocolApart, debuggerApart],
    },
    {
      ...node,
      entryPoints: ["client/protocol.ts"],
      outfile: "dist/client-protocol.js",
      external: ["vscode"],
    },
    {
      ...node,
      entryPoints: ["server/main.ts"],
      outfile: "dist/server.js",
      banner: program,
      plugins: [syncApart, testsApart, withoutNotebooks],
    },
    { ...node, stdin: { contents: engineEntries(), resolveDir: root }, outfile: "dist/engine.js" },
    ...(await engineParts()).map(({ name, contents }) => ({
      ...node,
      stdin: { contents },
      outfile: `dist/${name}.js`,
      external: ["./engine.js"],
    })),
    { ...node, entryPoints: ["server/sync/service.ts"], outfile: "dist/server-sync.js", plugins: [syncOfServer] },
    {
      ...node,
      entryPoints: ["cli/main.ts"],
      outfile: "dist/cli.js",
      banner: program,
      plugins: [commandsApart],
    },
    {
      ...node,
      stdin: { contents: commandEntries(), resolveDir: inProject("cli") },
      outfile: "dist/cli-commands.js",
      plugins: [agentsApart, serverApart],
    },
    {
      ...node,
      stdin: { contents: REVIEW_COMMANDS.map(exported).join("\n"), resolveDir: inProject("cli") },
      outfile: "dist/cli-review.js",
      plugins: [seldomApart],
    },
    { ...node, entryPoints: ["cli/mcp/serve.ts"], outfile: "dist/cli-mcp.js" },
    ...webBundles(shared),
  ];
  const page: BuildOptions = { ...shared, platform: "browser", format: "iife", target: "es2022" };
  for (const file of [...filesBelow("webview", "page.ts"), ...filesBelow("webview", "-worker.ts")]) {
    // The page a file belongs to, also where it is in a folder inside it.
    const folder = file.replaceAll(path.sep, "/").split("/")[1];
    const name = file.endsWith("page.ts") ? folder : `${folder}-${path.basename(file, "-worker.ts")}`;
    entries.push({ ...page, entryPoints: [file], outfile: `dist/webview/${name}.js` });
  }
  for (const file of filesBelow("webview", ".css").filter((each) => !each.startsWith("webview/page"))) {
    entries.push({ ...page, entryPoints: [file], outfile: `dist/webview/${path.basename(file)}` });
  }
  return Promise.all(entries.map((entry) => context(entry)));
}

/** The language client is a separate file, loaded by client/language-client.ts after activation. */
const protocolApart: Plugin = {
  name: "protocol-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/protocol$/ }, ({ importer }) =>
      importer.endsWith("parts.ts") ? { path: "./client-protocol.js", external: true } : undefined,
    );
  },
};

/** The debugger is a separate file, because most windows never debug. */
const debuggerApart: Plugin = {
  name: "debugger-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/debug\/adapter$/ }, () => ({ path: "./client-debug.js", external: true }));
  },
};

/** Threads and the debugger load their part of one bundle: bundles of their own would each repeat the engine. */
const ENGINE_PARTS = {
  "check-worker": "cli/check/check-worker.ts",
  "client-debug": "client/debug/adapter.ts",
  "digest-worker": "server/workspace/digest-worker.ts",
  "test-worker": "server/testing/worker.ts",
};

function engineEntries(): string {
  return Object.entries(ENGINE_PARTS)
    .map(([name, file]) => `exports["${name}"] = () => require("./${file}");`)
    .join("\n");
}

/** Exports are assigned by name, because `import()` of a CommonJS file in Node finds only those. */
function engineParts(): Promise<{ readonly name: string; readonly contents: string }[]> {
  return Promise.all(
    Object.entries(ENGINE_PARTS).map(async ([name, file]) => {
      const names = await exportsOf(file);
      const lines = names.map((each) => `exports.${each} = part.${each};`);
      return { name, contents: [`const part = require("./engine.js")["${name}"]();`, ...lines].join("\n") };
    }),
  );
}

/** The commands are a separate file, so that `--help` only loads the definitions. */
const commandsApart: Plugin = {
  name: "commands-apart",
  setup(build) {
    build.onResolve(
      { filter: /^\.\.?\/(commands\/[\w-]+|calls\/(trace|report)|environments\/(drift|history|promote)|explain)$/ },
      ({ path: wanted }) => ({
        path: path.basename(wanted),
        namespace: "commands",
      }),
    );
    build.onResolve({ filter: /^\.\/cli-(commands|review)\.js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "commands" }, ({ path: name }) => ({
      contents: REVIEW_COMMANDS.includes(name)
        ? reviewCommand(name)
        : `module.exports = require("./cli-commands.js")["${name}"]();`,
    }));
  },
};

/** Git runs these commands once per file, so they are bundled without the code of other commands. */
const REVIEW_COMMANDS = ["diff", "merge"];

/** The extension has no cli-review.js: nothing there runs these commands often. */
function reviewCommand(name: string): string {
  return `let commands;
    try {
      commands = require("./cli-review.js");
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
    module.exports = commands ? commands["${name}"] : require("./cli-commands.js")["${name}"]();`;
}

function exported(name: string): string {
  return `export * as ${name} from "./commands/${name}";`;
}

/** The platform and drawings stay with the other commands, because few comparisons need them. */
const seldomApart: Plugin = {
  name: "seldom-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/review\/(platform|html|flow-svg)$/ }, ({ path: wanted }) => ({
      path: path.basename(wanted),
      namespace: "commands",
    }));
    build.onResolve({ filter: /^\.\/cli-commands\.js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "commands" }, ({ path: name }) => ({
      contents: `module.exports = require("./cli-commands.js")["${name}"]();`,
    }));
  },
};

/** The MCP library is a separate file, because only `mcp` needs it. */
const agentsApart: Plugin = {
  name: "agents-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/mcp\/serve$/ }, () => ({ path: "./cli-mcp.js", external: true }));
  },
};

/** `lsp` starts the server's own program. */
const serverApart: Plugin = {
  name: "server-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/main$/ }, ({ importer }) =>
      /server[\\/]index\.ts$/.test(importer) ? { path: "./server.js", external: true } : undefined,
    );
  },
};

function commandEntries(): string {
  const parts = [
    ...["cli/calls/report.ts", "cli/calls/trace.ts", "cli/explain.ts"],
    ...["cli/environments/drift.ts", "cli/environments/history.ts", "cli/environments/promote.ts"],
    ...["cli/review/flow-svg.ts", "cli/review/html.ts", "cli/review/platform.ts"],
  ];
  const files = [...filesBelow("cli/commands", ".ts"), ...parts];
  return files
    .map((file) => `exports["${path.basename(file, ".ts")}"] = () => require("./${path.relative("cli", file)}");`)
    .join("\n");
}

/** Sync is a separate file, loaded by server/sync/lazy.ts, because a server that only edits doesn't need it. */
const syncApart: Plugin = {
  name: "sync-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/service$/ }, ({ importer }) =>
      importer.endsWith("lazy.ts") ? { path: "./server-sync.js", external: true } : undefined,
    );
  },
};

/** Tests run in a thread: server/testing/thread.ts. */
const testsApart: Plugin = {
  name: "tests-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/run$/ }, ({ importer }) =>
      importer.endsWith("thread.ts") ? { path: "./test-worker.js", external: true } : undefined,
    );
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
      () => ({
        contents: "exports.NotebookSyncFeature = (Base) => Base;",
      }),
    );
  },
};

/** Sync uses the modules that the server has loaded already, which server/main.ts exports under these names. */
const syncOfServer: Plugin = {
  name: "sync-of-server",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/(.*\/)?(flow|to-protocol)$/ }, (wanted) => ({
      path: wanted.path.endsWith("flow") ? "flow" : "protocol",
      namespace: "server",
    }));
    build.onResolve({ filter: /^\.\/server\.js$/, namespace: "server" }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "server" }, async (wanted) => {
      const shared = wanted.path === "flow" ? "server/sync/shared-flow.ts" : "server/protocol/to-protocol.ts";
      // Listed by name, so that a missing export fails the build.
      const names = (await exportsOf(shared)).join(", ");
      return { contents: `import * as server from "./server.js";\nexport const { ${names} } = server.${wanted.path};` };
    });
  },
};

async function exportsOf(file: string): Promise<readonly string[]> {
  const { metafile } = await esbuild({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}
