/**
 * Response times of the MCP server: with a warm server, 95 of 100 calls on a flow of 2,000 nodes take under 200 ms. The
 * limit applies to the server's processor time, because wall time depends on other load.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";
import { bench } from "./harness";
import { column, machine, median, percentile } from "./measure";
import { cpuOf } from "./processor";

const CALLS = 40;
const LIMIT_MS = 200;

void bench(async (folder) => {
  const client = new Client({ name: "bench", version: "1" });
  try {
    writeFileSync(path.join(folder, "big.flow.yaml"), flowOf(2000, "few findings"));
    const test = "flow: big.flow.yaml\ntests:\n  - {name: starts, expect: {path: [node_0, ...]}}\n";
    writeFileSync(path.join(folder, "big.flowtest.yaml"), test);
    const args = [inProject("dist/cli.js"), "mcp"];
    const transport = new StdioClientTransport({ command: process.execPath, args, cwd: folder });
    await client.connect(transport);
    const cpu = () => cpuOf(transport.pid ?? undefined) ?? 0;
    console.log(`${machine()}; ms, median and p95 of ${CALLS} calls, processor`);
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
      let begun = 0;
      for (let call = 0; call < CALLS + 10; call++) {
        if (call === 10) begun = cpu(); // The first calls warm it up.
        const begin = performance.now();
        await client.callTool({ name, arguments: input });
        if (call >= 10) times.push(performance.now() - begin);
      }
      const computed = (cpu() - begun) / CALLS;
      if (computed > LIMIT_MS) process.exitCode = 1;
      const figures = [median(times), percentile(times, 0.95), computed].map(column).join(" ");
      console.log(`${`${name} ${"to" in input ? "to" : ""}`.padEnd(12)} ${figures}`);
    }
  } finally {
    await client.close();
  }
});
