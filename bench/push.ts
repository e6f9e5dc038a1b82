/**
 * A first push of a large flow: many batches, each with the whole graph as the response. Measures the processor time of
 * the client, from the start of its process, and of the sandbox. `PUSH_CLI` selects another build of the client for
 * comparison.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject } from "../scripts/project";
import { startSandbox } from "../scripts/sandbox";
import { flowOf } from "./flows";
import { bench } from "./harness";
import { machine } from "./measure";

const SIZES = [1_250, 2_500, 5_000];

/** Records the processor time of a process when it exits. */
const PROBE = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const cost = { ms: (user + system) / 1000, mb: process.resourceUsage().maxRSS / 1024 };
  require("node:fs").writeFileSync(process.env.PUSH_COST, JSON.stringify(cost));
});
`;

void bench(async (folder) => {
  console.log(machine());
  for (const nodes of SIZES) {
    const place = path.join(folder, String(nodes));
    mkdirSync(place);
    const { client, sandbox, wall } = await push(nodes, place);
    const row = [
      `${client.ms.toFixed(0)} ms of processor time`,
      `${client.mb.toFixed(0)} MB`,
      `the sandbox ${sandbox.ms.toFixed(0)} ms and ${sandbox.mb.toFixed(0)} MB`,
      `${wall.toFixed(0)} ms in all`,
    ];
    console.log(`${nodes} nodes: ${row.join(", ")}`);
  }
});

interface Cost {
  readonly ms: number;
  readonly mb: number;
}

async function push(nodes: number, place: string): Promise<{ client: Cost; sandbox: Cost; wall: number }> {
  const probe = path.join(place, "probe.cjs");
  writeFileSync(probe, PROBE);
  const theirs = path.join(place, "sandbox.json");
  const sandbox = await startSandbox({ env: { NODE_OPTIONS: `--require ${probe}`, PUSH_COST: theirs } });
  try {
    const { assistant, revision } = sandbox.demo;
    const text = flowOf(nodes)
      .replace(/^assistant: .*$/m, `assistant: ${assistant}`)
      .replace(/^revision: .*$/m, `revision: ${revision}`);
    writeFileSync(path.join(place, "large.flow.yaml"), text);
    const cost = path.join(place, "cost.json");
    const state = path.join(place, "state");
    const env = { ...process.env, ...sandbox.env, XDG_STATE_HOME: state, LOCALAPPDATA: state, PUSH_COST: cost };
    const cli = process.env.PUSH_CLI ?? inProject("dist/cli.js");
    const args = ["--require", probe, cli, "push", "--allow-first-push", "--allow-removals", "large.flow.yaml"];
    const begun = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: place, env, encoding: "utf8" });
    const wall = performance.now() - begun;
    if (status !== 0) throw new Error(`push ended with ${status}: ${stdout}${stderr}`);
    await sandbox.stop();
    return { client: readCost(cost), sandbox: readCost(theirs), wall };
  } finally {
    await sandbox.stop();
  }
}

function readCost(file: string): Cost {
  return JSON.parse(readFileSync(file, "utf8"));
}
