/** Saves through the language server, over stdio, against the sandbox: what an editor without our client sees. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { Client } from "../../language/client";

let folder: string;
let sandbox: Sandbox;
let client: Client;
let uri: string;
let text: string;
let version = 1;
const messages: string[] = [];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "aflow-sync-"));
  sandbox = await startSandbox({ demo: true });
  process.env.ASSISTANT_FLOW_BASE_URL = sandbox.baseUrl;
  process.env.ASSISTANT_FLOW_WORKFLOW_BASE_URL = sandbox.workflowBaseUrl;
  process.env.ASSISTANT_FLOW_API_KEY = sandbox.apiKey;
  process.env.ASSISTANT_FLOW_STATE_DIR = path.join(folder, "state");
  client = await Client.start();
  client.connection.onRequest("window/showMessageRequest", ({ message }: { message: string }) => {
    messages.push(message);
    return { title: "Send" };
  });
  client.connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
    messages.push(message);
  });
  text = await readFile("examples/support-line.flow.yaml", "utf8");
  const file = path.join(folder, "support.flow.yaml");
  await writeFile(file, text);
  uri = pathToFileURL(file).href;
});

after(async () => {
  await client?.stop();
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function save(next: string): Promise<void> {
  await client.change(uri, ++version, [{ text: next }]);
  await writeFile(path.join(folder, "support.flow.yaml"), next);
  await client.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
}

function fromPlatform(found: { diagnostics: { source?: string }[] }): boolean {
  return found.diagnostics.some((diagnostic) => diagnostic.source === "platform");
}

test("a save reaches the platform and its findings come back on the lines", async () => {
  await client.open(uri, text);
  await save(text.replace("type: message", "type: message\n    description: The first words."));
  const found = await client.nextPublish((params) => params.uri === uri && fromPlatform(params));
  const platform = found.diagnostics.filter((diagnostic) => diagnostic.source === "platform");
  console.log(platform.map((d) => `${d.range.start.line}: ${d.severity} ${d.code} ${d.message}`).join("\n"), messages);
  assert.ok(platform.length > 0);
});
