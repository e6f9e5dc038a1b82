/** The language server answers while it traces calls. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { CancellationTokenSource, type Hover } from "vscode-languageserver-protocol";
import { inProject } from "../../../scripts/project";
import { TraceCallsRequest } from "../../../server/test-messages";
import { Client } from "../../language/client";

const text = readFileSync(inProject("examples/support-line.flow.yaml"), "utf8");

test("edits and hovers are answered while 10,000 calls are traced, and tracing can be cancelled", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-traces-"));
  const file = path.join(folder, "line.flow.yaml");
  const uri = pathToFileURL(file).href;
  writeFileSync(file, text);
  const client = await Client.start({ folders: [pathToFileURL(folder).href] });
  try {
    await client.open(uri, text);
    const calls = Array.from({ length: 10_000 }, (_, number) => ({
      id: `c${number}`,
      transcript: [
        { user: "assistant", text: "Welcome to Northwind Telecom, I'm Riley. How can I help today?" },
        { user: "caller", text: `It is about the bill of month ${number}.` },
        { user: "assistant", text: "How would you like to be called?" },
      ],
      callEndedBy: "USER",
    }));
    const cancelled = new CancellationTokenSource();
    let isTracing = true;
    const tracing = client.connection
      .sendRequest(TraceCallsRequest.method, { flow: uri, calls, unsaved: [] }, cancelled.token)
      .then(
        () => "traced",
        () => "cancelled",
      )
      .finally(() => {
        isTracing = false;
      });
    const line = text.split("\n").findIndex((each) => each.startsWith("entry: "));
    for (let version = 2; version < 22; version++) {
      const edited = text.replace("name: Greeting", `name: Greeting ${version}`);
      await client.change(uri, version, [{ text: edited }]);
      const hover = await client.request<Hover>("textDocument/hover", {
        textDocument: { uri },
        position: { line, character: "entry: g".length },
      });
      assert.match(JSON.stringify(hover.contents), new RegExp(`Greeting ${version}`));
      assert.ok(isTracing, `answered before the calls were traced: ${version}`);
    }
    cancelled.cancel();
    assert.equal(await tracing, "cancelled");
  } finally {
    assert.equal(await client.stop(), 0);
    rmSync(folder, { recursive: true, force: true });
  }
});
