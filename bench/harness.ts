/** What benchmarks of the built programs share: a build, a temporary folder, commands, and the tables of the docs. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuildOptions, build as bundle } from "esbuild";
import { build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { median } from "./measure";

/** Runs a benchmark in a temporary folder, of the built programs unless it doesn't need them. */
export async function bench(run: (folder: string) => Promise<void>, needsBuild = true): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-bench-"));
  try {
    if (needsBuild) await build({ quiet: true });
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles a program for Node like the product. */
export function bundleNode(options: BuildOptions): Promise<unknown> {
  return bundle({
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
    ...options,
  });
}

/** Times of a Node program: on a busy machine, the best reflects the program and the median the machine. */
export function commandTimes(
  times: number,
  args: readonly string[],
  cwd: string,
  expected = 0,
): readonly [best: number, median: number] {
  const all = Array.from({ length: times }, () => {
    const begun = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 1e9 });
    if (status !== expected) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return performance.now() - begun;
  });
  return [Math.min(...all), median(all)];
}

/** Replaces a table of docs/performance.md, between comments with its name. */
export function writeTable(name: string, table: string): void {
  const file = inProject("docs/performance.md");
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  const page = readFileSync(file, "utf8");
  writeFileSync(
    file,
    page.replace(marked, () => `<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->`),
  );
}
