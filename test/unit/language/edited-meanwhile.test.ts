/** A flow is edited while its tests and policies are checked: the server goes on, and the last answer is for the last text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { uriOf } from "../../../server/protocol/uris";
import { Client } from "../../language/client";
import { folderWith } from "../cli/cli";

const FLOW = `entry: greet
nodes:
  greet:
    type: message
    edges:
      - {to: bye, when: the caller is done}
      - {to: other}
  other: {type: end}
  bye: {type: end}
`;
const TESTS = `flow: a.flow.yaml
tests:
${Array.from({ length: 300 }, (_, number) => `  - name: ${number}\n    steps: [take: the caller is done]\n    expect: {ends: nowhere${number}}\n`).join("")}`;
const POLICIES = `policies:
${Array.from({ length: 300 }, (_, number) => `  - id: p${number}\n    never: {from: entry, to: {node: bye}, without: {sets: v${number}}}\n`).join("")}`;

for (const [name, text] of [
  ["a.flowtest.yaml", TESTS],
  ["assistant-flow.policies.yaml", POLICIES],
] as const)
  test(`of ${name}`, async () => {
    const folder = folderWith({ "a.flow.yaml": FLOW, [name]: text });
    const client = await Client.start({ folders: [uriOf(folder.path)] });
    try {
      const [flow, file] = [uriOf(`${folder.path}/a.flow.yaml`), uriOf(`${folder.path}/${name}`)];
      await client.open(flow, FLOW);
      await client.open(file, text);
      let version = 1;
      for (let round = 0; round < 12; round++) {
        const edited = FLOW.replaceAll("bye", `bye${round}`).replaceAll("greet", `greet${round}`);
        await client.change(flow, ++version, [{ text: edited }]);
        const hover = { textDocument: { uri: file }, position: { line: 4, character: 14 } };
        await client.request("textDocument/hover", hover);
      }
      await client.change(flow, ++version, [{ text: FLOW.replaceAll("other", "last") }]);
      await client.change(file, 2, [{ text: name.endsWith("test.yaml") ? TESTS : POLICIES.replace("bye", "last") }]);
      const found = await client.diagnostics(file, 2);
      assert.ok(found.length > 0);
      assert.deepEqual(client.stderr, []);
    } finally {
      assert.equal(await client.stop(), 0);
      folder.remove();
    }
  });

test("completion in a test, while the user goes on typing, replaces only the word before the cursor", async () => {
  const text = TESTS.replace("ends: nowhere0", "path: [greet, o]");
  const folder = folderWith({ "a.flow.yaml": FLOW, "a.flowtest.yaml": text });
  const client = await Client.start({ folders: [uriOf(folder.path)] });
  try {
    const file = uriOf(`${folder.path}/a.flowtest.yaml`);
    await client.open(file, text);
    const line = text.split("\n").findIndex((each) => each.includes("path:"));
    const character = (text.split("\n")[line] ?? "").indexOf("]");
    const position = { line, character };
    const asked = client.request("textDocument/completion", { textDocument: { uri: file }, position });
    await client.change(file, 2, [{ range: { start: position, end: position }, text: "ther" }]);
    const { items } = (await asked) as { items: { label: string; textEdit: { range: unknown } }[] };
    const other = items.find(({ label }) => label === "other");
    assert.deepEqual(other?.textEdit.range, { start: { line, character: character - 1 }, end: position });
  } finally {
    assert.equal(await client.stop(), 0);
    folder.remove();
  }
});
