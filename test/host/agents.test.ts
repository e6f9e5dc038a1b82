/** The tools for agents in VS Code. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import { planTool, serverDefinitions } from "../../client/agents";
import type { Server } from "../../client/server";
import { extensionId, openFlow, test } from "./suite";

const FLOW =
  "entry: greet\nnodes:\n  greet: {type: message, instructions: Hello., edges: [{to: nowhere}]}\n  done: {type: end}\n";

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

test("the tools of the manifest are registered, and answer", async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  await extension?.activate();
  const declared: string[] = extension?.packageJSON.contributes.languageModelTools.map(
    (each: { name: string }) => each.name,
  );
  const known = vscode.lm.tools.map(({ name }) => name);
  assert.equal(declared.length, 10);
  assert.deepEqual(
    declared.filter((name) => !known.includes(name)),
    [],
  );
  const { document } = await openFlow("agents.flow.yaml", FLOW);
  const file = vscode.workspace.asRelativePath(document.uri);
  assert.match(
    await invoke("assistant_flow_check", { paths: [file] }),
    /^Data from files[^\n]+\n```json\n.*"unknown-target"/,
  );
  assert.match(await invoke("assistant_flow_outline", { file }), /"entry":"greet"/);
  assert.match(await invoke("assistant_flow_run", { file }), /"kind":"stuck"/);
});

test("the MCP server that VS Code gets starts as described, and is limited to the workspace", async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension);
  const { contributes, version } = extension.packageJSON;
  assert.deepEqual(contributes.mcpServerDefinitionProviders, [{ id: "assistantFlow.mcp", label: "Assistant Flow" }]);
  const cli = path.join(extension.extensionPath, "dist/cli.js");
  assert.deepEqual(serverDefinitions(cli, [], version), [], "none without a folder");
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const [offered] = serverDefinitions(cli, [folder.uri.fsPath], version) as [
    { label: string; version: string; command: string; args: string[]; env: Record<string, string> },
  ];
  assert.deepEqual([offered.label, offered.version], ["Assistant Flow", version]);
  const { document } = await openFlow("offered.flow.yaml", FLOW);
  const child = spawn(offered.command, offered.args, { env: { ...process.env, ...offered.env } });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return JSON.parse((await answers.next()).value).result;
  };
  try {
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    assert.ok((await ask(1, "initialize", client)).serverInfo);
    const { tools } = await ask(2, "tools/list", {});
    const names = tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(names.sort(), [
      "calls_report",
      "check",
      "format",
      "outline",
      "paths",
      "plan",
      "policies",
      "run",
      "test",
      "tools",
    ]);
    const outline = (file: string) => ask(3, "tools/call", { name: "outline", arguments: { file } });
    assert.match(JSON.stringify(await outline(document.uri.fsPath)), /greet/);
    assert.match(JSON.stringify(await outline("/etc/outside.flow.yaml")), /outside the folders/);
  } finally {
    child.kill();
  }
});

test("a file outside the workspace is rejected", async () => {
  await assert.rejects(invoke("assistant_flow_outline", { file: "../../outside.flow.yaml" }), /outside the folders/);
});

test("plan asks the user before anything is sent", async () => {
  // VS Code confirms every dialog automatically in tests, so the test checks what it would show.
  const asked: string[] = [];
  const tool = planTool({ sendRequest: async (method: string) => void asked.push(method) } as unknown as Server);
  const input = { paths: ["agents.flow.yaml", "[x](command:y)"] };
  const { token } = new vscode.CancellationTokenSource();
  const prepared = await tool.prepareInvocation?.({ input }, token);
  assert.ok(prepared?.confirmationMessages);
  const { title, message } = prepared.confirmationMessages;
  assert.equal(title, "Ask the platform what a push would change?");
  const { value, isTrusted } = message as vscode.MarkdownString;
  assert.ok(value.includes("agents.flow.yaml") && !value.includes("[x]("), value);
  assert.ok(!isTrusted);
  assert.deepEqual(asked, [], "no request is sent before the user agrees");
});
