/**
 * Runs a benchmark bundled, like the product. Unbundled, calls between modules go through the loader, which takes a
 * third of the time here. `node --import tsx bench/bundled.ts policies`
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { inProject } from "../scripts/project";
import { bench, bundleNode } from "./harness";

void bench(async (folder) => {
  const name = process.argv[2] ?? "";
  const outfile = path.join(folder, `${name}.js`);
  await bundleNode({ entryPoints: [inProject(`bench/${name}.ts`)], outfile });
  process.exitCode = spawnSync(process.execPath, [outfile], { stdio: "inherit" }).status ?? 1;
}, false);
