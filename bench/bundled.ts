/**
 * Runs a benchmark bundled, like the product. Unbundled, calls between modules go through the loader, which takes a
 * third of the time here. `node --import tsx bench/bundled.ts policies`
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { inProject, temporaryFolder } from "../scripts/project";

async function main(name: string): Promise<void> {
  const folder = await temporaryFolder();
  try {
    const outfile = path.join(folder.path, `${name}.js`);
    await build({
      entryPoints: [inProject(`bench/${name}.ts`)],
      outfile,
      bundle: true,
      minify: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      mainFields: ["module", "main"],
      logLevel: "warning",
    });
    const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
    process.exitCode = status ?? 1;
  } finally {
    await folder.remove();
  }
}

main(process.argv[2] ?? "");
