/**
 * A first push of a large flow: many batches, each with the whole graph as the response. Measures the processor time of
 * the client, from the start of its process. `PUSH_CLI` selects another build of the client for comparison.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject } from "../scripts/project";
import { startSandbox } from "../scripts/sandbox";
import { flowOf } from "./flows";
import type { Row } from "./measure";

/** Records the processor time of a process when it exits. */
const PROBE = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeFileSync(process.env.PUSH_COST, String((user + system) / 1000));
});
`;

export async function run(folder: string): Promise<readonly Row[]> {
  const probe = path.join(folder, "probe.cjs");
  writeFileSync(probe, PROBE);
  const rows: Row[] = [];
  for (const nodes of [1_250, 2_500, 5_000]) {
    const cwd = path.join(folder, String(nodes));
    mkdirSync(cwd);
    const sandbox = await startSandbox();
    try {
      const text = flowOf(nodes)
        .replace(/^assistant: .*$/m, `assistant: ${sandbox.demo.assistant}`)
        .replace(/^revision: .*$/m, `revision: ${sandbox.demo.revision}`);
      writeFileSync(path.join(cwd, "large.flow.yaml"), text);
      const cost = path.join(cwd, "cost");
      const own = { ASSISTANT_FLOW_STATE_DIR: path.join(cwd, "state"), PUSH_COST: cost };
      const cli = process.env.PUSH_CLI ?? inProject("dist/cli.js");
      const args = ["--require", probe, cli, "push", "--allow-first-push", "--allow-removals", "large.flow.yaml"];
      const env = { ...process.env, ...sandbox.env, ...own };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" });
      if (status !== 0) throw new Error(`push ended with ${status}: ${stdout}${stderr}`);
      rows.push({ what: `${nodes} nodes`, times: [Number(readFileSync(cost, "utf8"))] });
    } finally {
      await sandbox.stop();
    }
  }
  return rows;
}
