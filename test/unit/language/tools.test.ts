/** Tool definitions in the editor: the nearest snapshot applies, and a broken one has its own diagnostic. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CodeAction, CompletionList, Location } from "vscode-languageserver-protocol";
import { FlowDocument } from "../../../flow";
import { type Component, complete, type Neighbors } from "../../../server/features/completion/completion";
import { Client } from "../../language/client";

const ID = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";
const FLOW = `entry: a
context_variables: {account: {type: string}}
nodes:
  a:
    type: tool
    tool: ${ID}
    edges: [{to: b}, {to: b, on: error}]
  b: {type: end, instructions: "Your account is {{account}}."}
`;
const snapshot = (required: boolean, version = 1) =>
  JSON.stringify({
    version,
    tools: [
      {
        id: ID,
        name: "Look up account",
        description: "",
        type: "api_call",
        inputs: [{ name: "account", type: "str", required, has_default: false }],
        outputs: [{ path: "$.plan", alias: "plan" }, { path: "$.a[*]" }],
        transfer: null,
      },
    ],
    knowledge_base_ids: [],
  });

test("the nearest snapshot counts, changes on disk are followed, and a broken one is reported on its file", async () => {
  const root = await mkdtemp(join(tmpdir(), "tools-"));
  const uri = (name: string) => pathToFileURL(join(root, name)).href;
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  await write("assistant-flow.tools.json", snapshot(true));
  await write("deep/optional/assistant-flow.tools.json", snapshot(false));
  await write("deep/a.flow.yaml", FLOW);
  await write("deep/optional/b.flow.yaml", FLOW);
  const client = await Client.start({
    folders: [uri(".")],
    capabilities: {
      textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } },
    },
    initialize: { initializationOptions: { stateDir: join(root, ".state") } },
  });
  try {
    const flow = uri("deep/a.flow.yaml");
    await client.open(flow, FLOW);
    await client.open(uri("deep/optional/b.flow.yaml"), FLOW);
    const codes = (list: readonly { readonly code?: unknown }[]) => list.map(({ code }) => code);
    const [missing] = (await client.showing(flow, (each) => codes(each).includes("missing-tool-input"))).filter(
      ({ code }) => code === "missing-tool-input",
    );
    assert.equal(missing?.message, 'Tool "Look up account" requires the input "account".');
    assert.deepEqual(missing?.range.start, { line: 5, character: 10 });
    const actions = await client.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: flow },
      range: missing?.range,
      context: { diagnostics: [missing] },
    });
    assert.equal(actions[0]?.title, 'Add input "account"');
    assert.ok(
      !codes(await client.showing(uri("deep/optional/b.flow.yaml"), () => true)).includes("missing-tool-input"),
    );

    // An editor without our documents opens the snapshot itself.
    const [place] = await client.request<Location[]>("textDocument/definition", {
      textDocument: { uri: flow },
      position: { line: 5, character: 12 },
    });
    assert.equal(place?.uri, uri("assistant-flow.tools.json"));
    const { start, end } = place?.range ?? { start: { character: 0 }, end: { character: 0 } };
    assert.equal(snapshot(true).slice(start.character, end.character), `"${ID}"`);

    const offered = `${FLOW}  `;
    await client.change(flow, 2, [{ text: offered }]);
    const { items } = await client.request<CompletionList>("textDocument/completion", {
      textDocument: { uri: flow },
      position: { line: FLOW.split("\n").length - 1, character: 2 },
    });
    const snippet = items.find(({ label }) => label === "tool node: Look up account")?.textEdit?.newText;
    assert.equal(
      snippet,
      `look_up_account:
    type: tool
    tool: ${ID}
    inputs:
      account: "{{account}}"
    saves:
      plan: $.plan
      a: "$.a[*]"
    edges:
      - to: `,
    );

    await write("assistant-flow.tools.json", snapshot(true, 2));
    const changed = { changes: [{ uri: uri("assistant-flow.tools.json"), type: 2 }] };
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", changed);
    const [bad] = await client.showing(uri("assistant-flow.tools.json"), (each) => each.length > 0);
    assert.match(String(bad?.message), /version that isn't supported/);
    await client.showing(flow, (each) => !codes(each).includes("missing-tool-input"));

    await write("assistant-flow.tools.json", snapshot(true));
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", changed);
    await client.showing(uri("assistant-flow.tools.json"), (each) => each.length === 0);
    await client.showing(flow, (each) => codes(each).includes("missing-tool-input"));

    await write("assistant-flow.tools.json", snapshot(true) + " ".repeat(21_000_000));
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", changed);
    const [huge] = await client.showing(uri("assistant-flow.tools.json"), (each) => each.length > 0);
    assert.equal(huge?.message, "The tool definitions can't be read: this file is larger than 20 MB.");
    await client.showing(flow, (each) => !codes(each).includes("missing-tool-input"));
    await rm(join(root, "assistant-flow.tools.json"));
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", changed);
    await client.showing(uri("assistant-flow.tools.json"), (each) => each.length === 0);
  } finally {
    assert.equal(await client.stop(), 0);
    await rm(root, { recursive: true, force: true });
  }
});

test("after an input or a saved variable, its values are suggested at once, if any are known", () => {
  const more = (field: "inputs" | "saves", component?: Component) => {
    const head = `context_variables: {account: {type: string}}\nnodes:\n  a:\n    type: component\n    component: ${ID}\n`;
    const text = `${head}    ${field}:\n      `;
    const neighbors: Neighbors = { ids: () => [], component: () => component };
    return complete(FlowDocument.read(text), text.length, neighbors).items.map((item) => [item.label, item.more]);
  };
  const known = { file: "b.flow.yaml", inputs: ["number"], outputs: ["plan"] };
  assert.deepEqual(more("inputs", known), [["number", true]]);
  assert.deepEqual(more("saves", known), [["account", true]]);
  assert.deepEqual(more("saves", { ...known, outputs: [] }), [["account", false]]);
  assert.deepEqual(more("saves"), [["account", false]]);
});
