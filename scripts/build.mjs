// Bundles every entry point that exists into dist/. `--watch` rebuilds on change.
import { existsSync } from "node:fs";
import { context } from "esbuild";

const watch = process.argv.includes("--watch");
const shared = { bundle: true, minify: !watch, sourcemap: watch, logLevel: "info", target: "node20" };
const node = { ...shared, platform: "node", format: "cjs", mainFields: ["module", "main"] };
const builds = [
  { ...node, entryPoints: ["client/extension.ts"], outfile: "dist/client.js", external: ["vscode"] },
  { ...node, entryPoints: ["server/main.ts"], outfile: "dist/server.js" },
  { ...node, entryPoints: ["cli/main.ts"], outfile: "dist/cli.js", banner: { js: "#!/usr/bin/env node" } },
].filter((build) => existsSync(build.entryPoints[0]));

const contexts = await Promise.all(builds.map((build) => context(build)));
if (watch) await Promise.all(contexts.map((each) => each.watch()));
else {
  await Promise.all(contexts.map((each) => each.rebuild()));
  await Promise.all(contexts.map((each) => each.dispose()));
}
