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

test("a save reaches the platform and its findings come back on the lines, none twice", async () => {
  // What a rule of ours says is not said again by the platform; with the rule off, the platform's word is shown.
  await client.configure({ assistantFlow: { rules: { "undefined-variable": "off" } } });
  await client.open(uri, text);
  const saved = text.replace("type: message", "type: message\n    description: The first words.");
  await save(saved);
  const found = await client.nextPublish((params) => params.uri === uri && fromPlatform(params));
  const platform = found.diagnostics.filter((diagnostic) => diagnostic.source === "platform");
  assert.deepEqual(
    platform.map(({ code, range }) => `${code} ${saved.split("\n")[range.start.line]?.trim()}`),
    ["variable.unknown Tell the caller that {{balance}} dollars are open on account {{acount_id}}"],
  );
  assert.deepEqual(messages, [
    "support.flow.yaml: This file was never sent to the platform. Sending it makes the platform's flow what the file says (1 node changed).",
  ]);
});
