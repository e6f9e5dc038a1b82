/** Messages of the server are in the editor's language if the client sends its translations. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startSandbox } from "../../../sandbox";
import { inProject } from "../../../scripts/project";
import { Client } from "../../language/client";
import { Editor } from "../../language/editor";

const uri = "file:///flows/a.flow.yaml";
const text = `entry: greet
nodes:
  greet:
    type: message
    instructions: Hello, {{acount_id}} and {{acount_id}}.
    edges:
      - to: bye
      - to: bye
      - to: bye
  bye:
    type: end
# A shorter flow has no lenses.
#
#
#
`;

const english = Object.keys(JSON.parse(readFileSync(inProject("l10n/bundle.l10n.json"), "utf8")) as object);
const words = Object.fromEntries(english.map((each) => [each, `⟦${each}⟧`]));
const commands = ["assistantFlow.plan", "assistantFlow.openPreview", "assistantFlow.createTest"];

async function titles(options: object): Promise<{ lenses: string[]; actions: string[] }> {
  const codeAction = { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } };
  const client = await Client.start({
    capabilities: { textDocument: { codeAction } },
    settings: { codeLens: { plan: true, preview: true, tests: true, findings: true, edges: true } },
    initialize: { initializationOptions: { commands, ...options } },
  });
  try {
    await client.open(uri, text);
    const lenses = await client.request<object[]>("textDocument/codeLens", { textDocument: { uri } });
    const shown: { command: { title: string } }[] = [];
    for (const lens of lenses) shown.push(await client.request("codeLens/resolve", lens));
    const range = { start: { line: 6, character: 0 }, end: { line: 8, character: 0 } };
    const params = { textDocument: { uri }, range, context: { diagnostics: [] } };
    const actions = await client.request<{ title: string }[]>("textDocument/codeAction", params);
    return { lenses: shown.map(({ command }) => command.title), actions: actions.map(({ title }) => title) };
  } finally {
    await client.stop();
  }
}

test("lenses and fixes of the server are translated with their values in place", async () => {
  const plain = await titles({});
  assert.ok(plain.lenses.includes("1 in · 0 out") || plain.lenses.includes("3 in · 0 out"), plain.lenses.join());
  const translated = await titles({ words });
  assert.deepEqual(
    translated.lenses.map((each) => each.replace(/[⟦⟧]/g, "")),
    plain.lenses,
  );
  for (const title of translated.lenses) assert.match(title, /^⟦.*⟧$/);
  const all = plain.actions.filter((title) => title.startsWith('Fix all "'));
  assert.ok(all.length > 0, plain.actions.join());
  for (const title of all) assert.ok(translated.actions.includes(`⟦${title}⟧`), translated.actions.join());
});

test("hovers, completion, rejected renames and problems of new tests are translated", async () => {
  const client = await Client.start({ initialize: { initializationOptions: { words } } });
  try {
    await client.open(uri, text);
    const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
    const hover = await client.request<{ contents: { value: string } }>("textDocument/hover", at(9, 4));
    assert.match(hover.contents.value, /⟦The conversation ends here\.⟧/);
    const other = "file:///flows/b.flow.yaml";
    await client.open(other, "entry: a\nnodes:\n  a:\n    type: message\n    edges:\n      - to: lost\n  \n");
    const position = { line: 6, character: 2 };
    const nodes = await client.request<{ items: { detail?: string }[] }>("textDocument/completion", {
      textDocument: { uri: other },
      position,
    });
    const details = nodes.items.map(({ detail }) => detail);
    assert.ok(details.includes("⟦an edge leads here⟧"), JSON.stringify(details));
    await assert.rejects(client.request("textDocument/rename", { ...at(9, 4), newName: "greet" }), {
      message: /⟦There is already a node "greet"\. Choose another ID\.⟧/,
    });
    const made = await client.request<{ problem: string }>("assistantFlow/newTests", {
      flow: uri,
      what: { kind: "through", node: "nowhere" },
      unsaved: [{ uri, text }],
    });
    assert.match(made.problem, /^⟦.*⟧$/);
  } finally {
    await client.stop();
  }
});

test("sync states are translated", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { sync: { onSave: "off" } }, words);
  try {
    const name = "support-line.flow.yaml";
    const example = readFileSync(inProject(`examples/${name}`), "utf8");
    await editor.write(name, example);
    const synced = editor.next("synced");
    await editor.open(name, example);
    assert.equal((await synced).text, "⟦synced v1⟧");
    const pending = editor.next("pending");
    await editor.save(name, example.replace("name: Greeting", "name: Hello"));
    const { text: short, message } = await pending;
    assert.equal(short, "⟦pending (⟦unpushed changes⟧)⟧");
    assert.match(message, /^⟦Unpushed changes: .*⟧$/);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
