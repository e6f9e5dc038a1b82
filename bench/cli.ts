/** Times of the command line from the start of the process. Bare Node is measured too, because it is part of each. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";
import { commandTimes, type Row } from "./measure";

export function run(folder: string): readonly Row[] {
  const [small, large] = [path.join(folder, "small"), path.join(folder, "large")];
  mkdirSync(small);
  mkdirSync(large);
  for (let i = 0; i < 100; i++) writeFileSync(path.join(small, `flow-${i}.flow.yaml`), flowOf(50, "clean", i));
  const before = flowOf(10_000);
  const after = before.replace(/(caller of step \d+00) and ask how/g, "$1 and say whether");
  // Every hundredth edge has another target, so that all paths are compared.
  let edge = 0;
  const edges = after.replace(/to: node_\d+/g, (to) => (++edge % 100 === 0 ? "to: node_7" : to));
  for (const [name, text] of Object.entries({ before, after, edges }))
    writeFileSync(path.join(large, `${name}.flow.yaml`), text);
  const cli = inProject("dist/cli.js");
  const check = (...options: string[]) => commandTimes(7, [cli, ...options], small);
  const diff = (...options: string[]) => commandTimes(7, [cli, "diff", "before.flow.yaml", ...options], large, 2);
  return [
    { what: "bare node", times: commandTimes(21, ["-e", "0"], folder) },
    { what: "assistant-flow --help", times: commandTimes(21, [cli, "--help"], folder), limit: 150 },
    { what: "check, 100 flows of 50 nodes", times: check("check", "--quiet"), limit: 2000 },
    { what: "check --format sarif, the same", times: check("check", "--format", "sarif") },
    { what: "fmt --check, the same", times: check("fmt", "--check") },
    { what: "diff, 10,000 nodes", times: diff("after.flow.yaml"), limit: 1000 },
    { what: "diff --format markdown, the same", times: diff("after.flow.yaml", "--format", "markdown") },
    { what: "diff, 10,000 nodes, edges changed", times: diff("edges.flow.yaml") },
  ];
}
