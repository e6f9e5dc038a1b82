/**
 * Secrets in the definitions of tools: URLs, headers, query parameters, bodies, defaults and transfer destinations. The
 * platform sends them with every revision, and none of them is written to a file, a log, a message or an output.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startSandbox } from "../../sandbox";
import { inProject } from "../../scripts/project";
import { Client, inTime } from "../language/client";
import { cli, inFolder, runInProcess } from "./outsider";

const SECRET = "s3cr3t";
const secret = (where: string) => `${SECRET}-${where}`;
const TOOL = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";

/** The revision, with secrets everywhere a tool can contain one. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (key === "tool_input_defaults") return [key, { account: secret("flat"), [TOOL]: { by: secret("keyed") } }];
    if (key === "active_revision" && (each as { configuration?: unknown } | null)?.configuration)
      return [key, poisonedTool(each as Record<string, unknown>)];
    return [key, poisoned(each)];
  });
  return Object.fromEntries(entries);
}

function poisonedTool(revision: Record<string, unknown>): unknown {
  const configuration = revision.configuration as Record<string, unknown>;
  const variables = (configuration.variables as object[]).map((each) => ({ ...each, default: secret("variable") }));
  return {
    ...revision,
    input_defaults: { account: secret("default") },
    merged_input_preview: { account: secret("preview") },
    metadata: { note: secret("metadata") },
    has_secrets: true,
    transfer_target: {
      destination: secret("destination"),
      destination_source: { tool_id: TOOL, response_path: "$.x", input_mapping: { x: secret("mapping") } },
      mode: "cold",
    },
    configuration: {
      ...configuration,
      variables,
      url: `https://user:${secret("password")}@api.example.com/${secret("path")}?key=${secret("url")}`,
      headers: [{ key: "Authorization", value: secret("header"), secure: true }],
      query_params: [{ key: secret("query-key"), value: secret("query") }],
      body: { nested: { token: secret("body") } },
    },
  };
}

/** Forwards requests, and adds a secret to every response. */
async function poisoning(target: string): Promise<{ readonly url: string; readonly server: Server; seen(): number }> {
  let seen = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const { pathname } = new URL(target);
    const answer = await fetch(new URL(`${pathname.replace(/\/$/, "")}${request.url}`, target), {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const type = answer.headers.get("content-type") ?? "application/json";
    const body = /json/.test(type) && text !== "" ? JSON.stringify(poisoned(JSON.parse(text))) : text;
    if (body.includes(SECRET)) seen++;
    response.writeHead(answer.status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, seen: () => seen };
}

function textsBelow(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const file = path.join(entry.parentPath, entry.name);
    return [[file, readFileSync(file, "latin1")] as [string, string]];
  });
}

const FLOW = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");

test("no secret of a tool leaves the platform's answers", { timeout: 600_000 }, () =>
  inFolder({ "a.flow.yaml": FLOW, ".git/HEAD": "" }, async (folder) => {
    const sandbox = await startSandbox({ demo: true });
    const base = await poisoning(sandbox.baseUrl);
    const workflows = await poisoning(sandbox.workflowBaseUrl);
    const env = {
      ASSISTANT_FLOW_BASE_URL: base.url,
      ASSISTANT_FLOW_WORKFLOW_BASE_URL: workflows.url,
      ASSISTANT_FLOW_API_KEY: sandbox.apiKey,
      ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"),
    };
    const before = { ...process.env };
    const shown: [where: string, text: string][] = [];
    const run = async (...args: string[]) => {
      const { code, out, err } = await runInProcess(args, { cwd: folder, env });
      assert.notEqual(code, 70, `${args.join(" ")}: ${err}`);
      shown.push([args.join(" "), out + err]);
      return out;
    };
    const agent = async () => {
      const call = (id: number, name: string, input: object) =>
        JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } });
      const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };
      const input = [
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
        call(2, "tools", {}),
        call(3, "check", { platform: true }),
        call(4, "plan", { paths: ["a.flow.yaml"] }),
      ];
      const { out, err } = await cli(["mcp"], { cwd: folder, env, input: `${input.join("\n")}\n` });
      assert.match(out, /look_up_account/, "the agent sees the tools");
      shown.push(["mcp", out + err]);
    };
    try {
      assert.match(await run("tools"), /look_up_account/);
      await run("tools", "--format", "json");
      await run("tools", "--save");
      await run("check", "--platform", "--format", "json");
      await run("plan", "--format", "json");
      await run("push", "--allow-first-push", "--wait=5");
      await run("status", "--format", "json");
      await run("pull");
      await run("test", "--generate", "a.flow.yaml");
      await agent();

      Object.assign(process.env, env);
      const client = await Client.start({ initialize: { trace: "verbose" } });
      client.process.stdout?.on("data", (chunk: Buffer) => shown.push(["LSP message", chunk.toString("latin1")]));
      const uri = pathToFileURL(path.join(folder, "a.flow.yaml")).href;
      const text = FLOW.replace("inputs: {account:", "inputs: {acount:");
      const textDocument = { uri };
      await client.connection.sendNotification("$/setTrace", { value: "verbose" });
      await client.open(uri, text);
      const asked = base.seen() + workflows.seen();
      writeFileSync(path.join(folder, "a.flow.yaml"), text);
      await client.connection.sendNotification("textDocument/didSave", { textDocument });
      await inTime(
        until(() => base.seen() + workflows.seen() > asked),
        () => "a request of the server",
      );
      const lines = text.split("\n");
      const line = lines.findIndex((each) => each.includes(TOOL));
      for (const at of [line, line + 1, lines.findIndex((each) => each.startsWith("revision:"))]) {
        const position = { line: at, character: (lines[at] ?? "").length - 2 };
        for (const method of ["hover", "completion", "definition"])
          await client.request(`textDocument/${method}`, { textDocument, position }).catch(() => null);
      }
      const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
      for (const method of ["inlayHint", "codeAction", "documentSymbol", "diagnostic", "codeLens"])
        await client
          .request(`textDocument/${method}`, { textDocument, range, context: { diagnostics: [] } })
          .catch(() => null);
      await client.request("assistantFlow/tools", { uri });
      await client.stop();
      assert.match(JSON.stringify(shown), /Look up|look_up_account/);
      shown.push(["the server's log", client.stderr.join("")]);
    } finally {
      process.env = before;
      for (const { server } of [base, workflows]) {
        server.closeAllConnections();
        server.close();
      }
      await sandbox.stop();
    }
    assert.ok(base.seen() + workflows.seen() > 5, "the platform sent secrets");
    const files = textsBelow(folder);
    assert.ok(files.some(([name]) => name.endsWith("assistant-flow.tools.json")));
    assert.ok(
      files.some(([name]) => name.endsWith(".revision")),
      "the state folder has the revision",
    );
    for (const [where, text] of [...shown, ...files])
      assert.ok(!text.includes(SECRET), `${where}: ${text.slice(0, 500)}`);
  }),
);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
