/**
 * Times of the command line: `--help` in under 150 ms, checking 100 flows of 50 nodes in under 2 s, comparing two flows
 * of 10,000 nodes in under 1 s. Bare Node is measured too, because it is part of each.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";

async function main(): Promise<void> {
  await build({ quiet: true });
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-bench-"));
  try {
    for (let i = 0; i < 100; i++) {
      const revision = `0f9e0d52-81b7-4f0c-8a51-${String(i).padStart(12, "0")}`;
      const text = flowOf(50).replace(/^revision: .*$/m, `revision: ${revision}`);
      writeFileSync(path.join(folder, `flow-${i}.flow.yaml`), text);
    }
    const large = path.join(folder, "large");
    mkdirSync(large);
    const before = flowOf(10_000);
    const after = before.replace(/(caller of step \d+00) and ask how/g, "$1 and say whether");
    writeFileSync(path.join(large, "old.yaml"), before);
    writeFileSync(path.join(large, "new.yaml"), after);
    // Every hundredth edge has another target, so that all paths are compared.
    let edge = 0;
    const led = after.replace(/to: node_\d+/g, (to) => (++edge % 100 === 0 ? "to: node_7" : to));
    writeFileSync(path.join(large, "edges.yaml"), led);
    const cli = inProject("dist/cli.js");
    const diff = [cli, "diff", "old.yaml", "new.yaml"];
    const rows = [
      ["bare node", measure(21, ["-e", "0"], folder)],
      ["assistant-flow --help (under 150)", measure(21, [cli, "--help"], folder)],
      ["check, 100 flows of 50 nodes (under 2000)", measure(7, [cli, "check", "--quiet"], folder)],
      ["check --format sarif, the same", measure(7, [cli, "check", "--format", "sarif"], folder)],
      ["fmt --check, the same", measure(7, [cli, "fmt", "--check"], folder)],
      ["diff, 10,000 nodes (under 1000)", measure(7, diff, large, 2)],
      ["diff --format markdown, the same", measure(7, [...diff, "--format", "markdown"], large, 2)],
      ["diff, 10,000 nodes, edges changed", measure(7, [cli, "diff", "old.yaml", "edges.yaml"], large, 2)],
    ] as const;
    console.log(
      `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ms, best and median`,
    );
    const ms = (number: number) => number.toFixed(0).padStart(6);
    for (const [name, [best, median]] of rows) console.log(`${name.padEnd(44)} ${ms(best)} ${ms(median)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Best and median: on a busy machine, the best reflects the program and the median the machine. */
function measure(
  times: number,
  args: readonly string[],
  cwd: string,
  expected = 0,
): readonly [best: number, median: number] {
  const all = Array.from({ length: times }, () => {
    const begin = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
    if (status !== expected) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return Number(process.hrtime.bigint() - begin) / 1e6;
  }).sort((a, b) => a - b);
  return [all[0] as number, all[Math.floor(all.length / 2)] as number];
}

void main();
