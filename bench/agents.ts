/** The agents' promise: with a warm server, 95 of 100 calls on a flow of 2,000 nodes are answered in under 200 ms. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";

const CALLS = 40;

async function main(): Promise<void> {
  await build({ quiet: true });
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-bench-"));
  const client = new Client({ name: "bench", version: "1" });
  try {
    writeFileSync(path.join(folder, "big.flow.yaml"), flowOf(2000, "few findings"));
    const test = "flow: big.flow.yaml\ntests:\n  - {name: starts, expect: {path: [node_0, ...]}}\n";
    writeFileSync(path.join(folder, "big.flowtest.yaml"), test);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [inProject("dist/cli.js"), "mcp"], cwd: folder }),
    );
    console.log(
      `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ms, median and p95 of ${CALLS} calls`,
    );
    const file = "big.flow.yaml";
    for (const [name, input] of [
      ["check", { paths: [file] }],
      ["outline", { file }],
      ["paths", { file }],
      ["paths", { file, to: "end" }],
      ["run", { file }],
      ["test", { paths: [file] }],
    ] as const) {
      const times: number[] = [];
      for (let call = 0; call < CALLS + 10; call++) {
        const begin = performance.now();
        await client.callTool({ name, arguments: input });
        if (call >= 10) times.push(performance.now() - begin); // The first ones warm it up.
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => (times[Math.floor(share * (times.length - 1))] as number).toFixed(0).padStart(6);
      console.log(`${`${name} ${"to" in input ? "to" : ""}`.padEnd(12)} ${at(0.5)} ${at(0.95)}`);
    }
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
