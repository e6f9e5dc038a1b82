/**
 * Bundles the extension for a browser into dist/web/: `client.js`, which VS Code loads into its worker for extensions, and
 * what that loads when it is needed. VS Code gives an extension no way to load its other files, so they are modules, which
 * it imports itself. The language server, the debugger and the sandbox share parts.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { inProject } from "../project";
import { directImports } from "./direct-imports";

/** The bundles, with the options that all bundles share. */
export function webBundles(shared: BuildOptions): BuildOptions[] {
  const web = { ...shared, ...webOptions() };
  return [
    {
      ...web,
      entryPoints: ["client/extension.ts"],
      outfile: "dist/web/client.js",
      format: "cjs",
      external: ["vscode"],
    },
    {
      ...web,
      entryPoints: ["client/browser/protocol.ts"],
      outfile: "dist/web/protocol.js",
      format: "cjs",
      external: ["vscode"],
      // A module can't import `vscode`, so it is a function that receives `require`.
      banner: { js: "export default (require) => {\nconst module = { exports: {} };" },
      footer: { js: "return module.exports;\n};" },
    },
    {
      ...web,
      entryPoints: {
        server: "server/web-main.ts",
        debug: "client/browser/debugger.ts",
        sandbox: "sandbox/in-process.ts",
      },
      plugins: [...web.plugins, directImports(entryPoint)],
      outdir: "dist/web",
      format: "esm",
      splitting: true,
      chunkNames: "part-[hash]",
    },
  ];
}

/** Options of a bundle for a browser. */
export function webOptions() {
  return {
    platform: "browser",
    target: "es2022",
    conditions: ["browser"],
    mainFields: ["browser", "module", "main"],
    inject: [inProject("system/browser/globals.ts")],
    define: { __dirname: '"/"', __filename: '"/"' },
    plugins: [browserModules, withoutStateFile],
  } satisfies BuildOptions;
}

/** In a browser, the sandbox has its state in memory. */
const withoutStateFile: Plugin = {
  name: "without-state-file",
  setup(build) {
    build.onResolve({ filter: /^\.\/state-file$/ }, ({ path: name, resolveDir }) =>
      resolveDir === inProject("sandbox/storage") ? { path: name, namespace: "without-state-file" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "without-state-file" }, () => ({
      contents: "export const StateFile = null;",
    }));
  },
};

/** Uses the browser's implementations of system/, of two modules of client/, and of the one module of Node that a library needs. */
const browserModules: Plugin = {
  name: "browser-modules",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/(.*\/)?system$/ }, () => ({ path: inProject("system/browser/index.ts") }));
    build.onResolve({ filter: /^events$/ }, () => ({ path: inProject("system/browser/events.ts") }));
    build.onResolve({ filter: /^\.\/local-sandbox$/ }, () => ({ path: inProject("client/browser/local-sandbox.ts") }));
    build.onResolve({ filter: /^\.\.?\/parts$/ }, ({ resolveDir }) =>
      path.basename(resolveDir) === "browser" ? undefined : { path: inProject("client/browser/parts.ts") },
    );
  },
};

/** The entry point of a folder of ours, which for system/ is that of the browser. */
function entryPoint(folder: string): string | undefined {
  const index = folder === inProject("system") ? inProject("system/browser/index.ts") : path.join(folder, "index.ts");
  return existsSync(index) ? index : undefined;
}
