/**
 * `npm run bench [name]` runs one benchmark of docs/performance.md; without a name, the
 * comparison with yaml-language-server. A benchmark returns its rows, or prints a table of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build as bundle } from "esbuild";
import { build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { type Row, report } from "./measure";

type Bench = (folder: string) => Promise<readonly Row[] | undefined> | readonly Row[];

const benches: Record<string, () => Promise<{ readonly run: Bench }>> = {
  calls: () => import("./calls"),
  cli: () => import("./cli"),
  language: () => import("./language"),
  mutation: () => import("./mutation"),
  policies: () => bundled("policies"),
  preview: () => import("./preview"),
  run: () => import("./run"),
  workspace: () => import("./workspace"),
};

/** These run the code in their own process, so they need no build. */
const inProcess = ["calls", "mutation", "policies"];

const folder = mkdtempSync(path.join(tmpdir(), "aflow-bench-"));

/** Bundled like the product: unbundled, calls between modules go through the loader, which takes a third of the time. */
async function bundled(name: string): Promise<{ readonly run: Bench }> {
  const outfile = path.join(folder, `${name}.js`);
  const entryPoints = [inProject(`bench/${name}.ts`)];
  await bundle({ entryPoints, outfile, bundle: true, minify: true, platform: "node", mainFields: ["module", "main"] });
  return require(outfile);
}

async function main(name = "language"): Promise<void> {
  const load = benches[name];
  if (!load) throw new Error(`There is no benchmark "${name}". Choose ${Object.keys(benches).join(", ")}.`);
  try {
    if (!inProcess.includes(name)) await build({ quiet: true });
    const { run } = await load();
    const rows = await run(folder);
    if (rows && !report(rows)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv[2]);
