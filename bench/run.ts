/**
 * Tests of flows: 1,000 tests on a flow of 500 nodes in under a second from the start of the process, and a time that grows
 * with the steps that are run. The peer is the same work with a tenth of the tests. Generating tests takes at most 2.3 times as
 * long for twice the nodes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { editTimes } from "./editor-runs";
import { flowOf as forkedFlow } from "./flows";

/** A chain of nodes that ask, call or leave a choice; each path is as long as the flow. */
function flowOf(nodes: number): string {
  const lines = [
    "entry: n0",
    "context_variables:",
    "  plan: {type: string, enum_values: [basic, plus, max]}",
    "nodes:",
  ];
  for (let n = 0; n < nodes - 1; n++) {
    const next = `n${n + 1}`;
    lines.push(`  n${n}:`);
    if (n === 0) lines.push("    type: collect", "    variable: plan", "    instructions: Ask for the plan.");
    else
      lines.push("    type: message", `    instructions: Step number ${n} tells the caller about the {{plan}} plan.`);
    lines.push("    edges:");
    if (n % 50 === 10) lines.push(`      - {to: ${next}, when: the caller agrees}`, `      - {to: n${nodes - 1}}`);
    else
      lines.push(
        `      - {to: n${nodes - 1}, when: "{{plan}} is max and {{plan}} is unknown"}`,
        `      - {to: ${next}}`,
      );
  }
  lines.push(`  n${nodes - 1}: {type: end}`);
  return `${lines.join("\n")}\n`;
}

/** Tests that leave the chain at one of its choices. */
function testsOf(count: number, nodes: number): string {
  const choices = Math.ceil((nodes - 11) / 50);
  const tests = Array.from({ length: count }, (_, number) => {
    const stays = number % (choices + 1);
    const steps = Array.from({ length: stays }, () => "      - take: the caller agrees");
    if (stays < choices) steps.push(`      - take: n${nodes - 1}`);
    return [
      `  - name: test ${number} stays for ${stays}`,
      "    steps:",
      `      - give: {plan: ${["basic", "plus", "max"][number % 3]}}`,
      ...steps,
      "    expect:",
      `      path: [n0, ..., n${nodes - 1}]`,
      `      ends: n${nodes - 1}`,
    ].join("\n");
  });
  return `flow: bench.flow.yaml\ntests:\n${tests.join("\n")}\n`;
}

async function main(): Promise<void> {
  await build({ quiet: true });
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-bench-"));
  try {
    const rows = [100, 1_000, 2_000].map((count) => {
      const place = path.join(folder, String(count));
      mkdirSync(place);
      writeFileSync(path.join(place, "bench.flow.yaml"), flowOf(500));
      writeFileSync(path.join(place, "bench.flowtest.yaml"), testsOf(count, 500));
      return [`${count} tests`, measure(7, place, []), measure(5, place, ["--coverage", "--format", "json"])] as const;
    });
    console.log(
      `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ms, best and median`,
    );
    const ms = (number: number) => number.toFixed(0).padStart(6);
    console.log(`${"500 nodes, from the start of the process".padEnd(44)}   text          json and coverage`);
    for (const [name, text, json] of rows)
      console.log(`${name.padEnd(44)} ${ms(text[0])} ${ms(text[1])}   ${ms(json[0])} ${ms(json[1])}`);
    console.log(`${"500 nodes, an edit to results and coverage".padEnd(44)} median    p95`);
    for (const count of [200, 1_000]) {
      const place = path.join(folder, `edits-${count}`);
      mkdirSync(place);
      const { median, p95, results } = await editTimes(place, flowOf(500), testsOf(count, 500), 60);
      if (results !== count) throw new Error(`${results} results for ${count} tests`);
      console.log(`${`${count} tests`.padEnd(44)} ${ms(median)} ${ms(p95)}`);
    }
    console.log(`${"test --generate".padEnd(44)}   best median   × for twice the nodes`);
    let before: number | undefined;
    for (const nodes of [150, 300, 600, 1_200]) {
      writeFileSync(path.join(folder, "grown.flow.yaml"), forkedFlow(nodes));
      const [best, median] = measure(3, folder, ["--generate", "grown.flow.yaml"]);
      const growth = before === undefined ? "" : (best / before).toFixed(2);
      console.log(`${`${nodes} nodes`.padEnd(44)} ${ms(best)} ${ms(median)}   ${growth}`);
      before = best;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Best and median: on a busy machine, the best reflects the program and the median the machine. */
function measure(times: number, cwd: string, options: readonly string[]): readonly [best: number, median: number] {
  const all = Array.from({ length: times }, () => {
    const begin = process.hrtime.bigint();
    const args = [inProject("dist/cli.js"), "test", ...options];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 1e9 });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return Number(process.hrtime.bigint() - begin) / 1e6;
  }).sort((a, b) => a - b);
  return [all[0] as number, all[Math.floor(all.length / 2)] as number];
}

void main();
