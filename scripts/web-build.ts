/**
 * Bundles the language server as a web worker. It is a module that loads its code for running tests when it is
 * needed. The extension has no browser entry yet, so the bundle isn't part of dist/.
 */
import { build, type Plugin } from "esbuild";
import { inProject, root } from "./project";

/** Writes `server.js` and its parts, and returns the size of what starting the server loads, in bytes. */
export async function buildWebServer(outdir: string): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    logLevel: "warning",
    platform: "browser",
    target: "es2022",
    conditions: ["browser"],
    mainFields: ["browser", "module", "main"],
    inject: [inProject("system/browser/globals.ts")],
    define: { __dirname: '"/"', __filename: '"/"' },
    format: "esm",
    splitting: true,
    outdir,
    entryPoints: { server: "server/web-main.ts" },
    chunkNames: "part-[hash]",
    plugins: [browserSystem, withoutSync],
  });
  const { outputs } = metafile;
  const loaded = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === "server/web-main.ts"));
  for (const file of loaded)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === "import-statement") loaded.add(path);
  return [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}

/** Nothing is synced in a browser (`hasState` in system/browser/files.ts). */
const withoutSync: Plugin = {
  name: "without-sync",
  setup(build) {
    build.onResolve({ filter: /^\.\/service$/ }, ({ path }) => ({ path, namespace: "without-sync" }));
    build.onLoad({ filter: /.*/, namespace: "without-sync" }, () => ({
      contents: "export const PlatformSync = null;",
    }));
  },
};

/** Uses the browser's implementation of system/. */
const browserSystem: Plugin = {
  name: "browser-system",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/(.*\/)?system$/ }, () => ({ path: inProject("system/browser/index.ts") }));
  },
};
