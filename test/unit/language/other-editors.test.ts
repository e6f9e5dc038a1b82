/**
 * Editors that don't know our extension: they send every YAML file, start the server through the CLI, and declare few
 * capabilities.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../language/client";

const broken = "entry: nowhere\nnodes:\n  a: {type: end}\n";

test("flows are checked and other YAML files aren't, whatever language the editor assigns", async () => {
  const client = await Client.start();
  const open = (uri: string, languageId: string) =>
    client.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version: 1, text: broken },
    });
  try {
    await open("file:///compose.yaml", "yaml");
    assert.equal(
      await client.request("textDocument/hover", {
        textDocument: { uri: "file:///compose.yaml" },
        position: { line: 0, character: 8 },
      }),
      null,
    );
    await open("file:///a.flow.yaml", "yaml");
    assert.ok((await client.diagnostics("file:///a.flow.yaml", 1)).length > 0);
    await open("untitled:Untitled-1", "assistant-flow");
    assert.ok((await client.diagnostics("untitled:Untitled-1", 1)).length > 0);
    assert.ok(!client.published.some(({ uri }) => uri === "file:///compose.yaml"));
  } finally {
    assert.equal(await client.stop(), 0);
  }
});

test("`assistant-flow lsp` is the same server, for a client that says nothing of itself", async () => {
  const client = await Client.start({
    program: ["cli/main.ts", "lsp", "--stdio"],
    initialize: { workspaceFolders: undefined, initializationOptions: undefined, processId: null },
  });
  try {
    assert.ok(client.server.capabilities.completionProvider);
    await client.open("file:///b.flow.yaml", broken);
    assert.ok((await client.diagnostics("file:///b.flow.yaml", 1)).some(({ code }) => code === "unknown-entry"));
    assert.deepEqual(client.stderr, []);
  } finally {
    assert.equal(await client.stop(), 0);
  }
});
