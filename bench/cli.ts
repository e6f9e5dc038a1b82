/**
 * Times of the command line: `--help` in under 150 ms, checking 100 flows of 50 nodes in under 2 s, comparing two flows
 * of 10,000 nodes in under 1 s. Bare Node is measured too, because it is part of each.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";
import { bench, commandTimes } from "./harness";
import { column, machine } from "./measure";

void bench(async (folder) => {
  const [small, large] = [path.join(folder, "small"), path.join(folder, "large")];
  mkdirSync(small);
  mkdirSync(large);
  for (let i = 0; i < 100; i++) {
    const revision = `0f9e0d52-81b7-4f0c-8a51-${String(i).padStart(12, "0")}`;
    const text = flowOf(50).replace(/^revision: .*$/m, `revision: ${revision}`);
    writeFileSync(path.join(small, `flow-${i}.flow.yaml`), text);
  }
  const before = flowOf(10_000);
  const after = before.replace(/(caller of step \d+00) and ask how/g, "$1 and say whether");
  writeFileSync(path.join(large, "old.flow.yaml"), before);
  writeFileSync(path.join(large, "new.flow.yaml"), after);
  // Every hundredth edge has another target, so that all paths are compared.
  let edge = 0;
  const led = after.replace(/to: node_\d+/g, (to) => (++edge % 100 === 0 ? "to: node_7" : to));
  writeFileSync(path.join(large, "edges.flow.yaml"), led);
  const cli = inProject("dist/cli.js");
  const diff = [cli, "diff", "old.flow.yaml", "new.flow.yaml"];
  const rows = [
    ["bare node", commandTimes(21, ["-e", "0"], folder)],
    ["assistant-flow --help (under 150)", commandTimes(21, [cli, "--help"], folder)],
    ["check, 100 flows of 50 nodes (under 2000)", commandTimes(7, [cli, "check", "--quiet"], small)],
    ["check --format sarif, the same", commandTimes(7, [cli, "check", "--format", "sarif"], small)],
    ["fmt --check, the same", commandTimes(7, [cli, "fmt", "--check"], small)],
    ["diff, 10,000 nodes (under 1000)", commandTimes(7, diff, large, 2)],
    ["diff --format markdown, the same", commandTimes(7, [...diff, "--format", "markdown"], large, 2)],
    ["diff, 10,000 nodes, edges changed", commandTimes(7, [cli, "diff", "old.flow.yaml", "edges.flow.yaml"], large, 2)],
  ] as const;
  console.log(`${machine()}; ms, best and median`);
  for (const [name, times] of rows) console.log(`${name.padEnd(44)} ${times.map(column).join(" ")}`);
});
