/**
 * Runs the conformance checks of the MCP authors against `assistant-flow mcp`. They use HTTP, so a bridge with the
 * protocol's own transports connects them. Scenarios for tools of their example server and for HTTP itself are left
 * out.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { build } from "../../scripts/build";
import { inProject, temporaryFolder } from "../../scripts/project";
import { protocolChecks } from "../../scripts/vscode/install";

const scenarios = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"];

let bridge: Server;
let address: string;
const children: StdioClientTransport[] = [];
before(async () => {
  await build({ quiet: true });
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  bridge = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    await (known ?? (await newSession(sessions))).handleRequest(request, response);
  });
  await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}/mcp`;
});
after(async () => {
  for (const child of children) await child.close();
  bridge.closeAllConnections();
  bridge.close();
});

/** Each client gets its own server process, as in an editor. */
async function newSession(sessions: Map<string, StreamableHTTPServerTransport>) {
  const outside = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, outside),
  });
  const args = [inProject("dist/cli.js"), "mcp", "--root", inProject("examples")];
  const inside = new StdioClientTransport({ command: process.execPath, args });
  children.push(inside);
  outside.onmessage = (message) => void inside.send(message);
  inside.onmessage = (message) => void outside.send(message);
  await inside.start();
  await outside.start();
  return outside;
}

test("the server passes the protocol's conformance checks", async () => {
  const { node, program } = await protocolChecks();
  const results = await temporaryFolder();
  try {
    for (const scenario of scenarios) {
      const args = [program, "server", "--url", address, "--scenario", scenario];
      const { stdout } = await promisify(execFile)(node, args, { cwd: results.path });
      const [, passed = "0", all = ""] = /Passed: (\d+)\/(\d+)/.exec(stdout) ?? [];
      assert.ok(Number(passed) > 0 && passed === all, `${scenario}\n${stdout}`);
    }
  } finally {
    await results.remove();
  }
});
