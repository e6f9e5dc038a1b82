/** Response times of the MCP server, after a warm-up, on a flow of 2,000 nodes. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";
import { type Row, timesOf } from "./measure";

export async function run(folder: string): Promise<readonly Row[]> {
  const file = "big.flow.yaml";
  writeFileSync(path.join(folder, file), flowOf(2000, "few findings"));
  const test = `flow: ${file}\ntests:\n  - {name: starts, expect: {path: [node_0, ...]}}\n`;
  writeFileSync(path.join(folder, "big.flowtest.yaml"), test);
  const client = new Client({ name: "bench", version: "1" });
  const args = [inProject("dist/cli.js"), "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  try {
    const rows: Row[] = [];
    for (const [what, name, input] of [
      ["check", "check", { paths: [file] }],
      ["outline", "outline", { file }],
      ["paths", "paths", { file }],
      ["paths with to", "paths", { file, to: "end" }],
      ["run", "run", { file }],
      ["test", "test", { paths: [file] }],
    ] as const) {
      const times = await timesOf(40, () => client.callTool({ name, arguments: input }), 10);
      rows.push({ what, times, limit: 200, share: 0.95 });
    }
    return rows;
  } finally {
    await client.close();
  }
}
