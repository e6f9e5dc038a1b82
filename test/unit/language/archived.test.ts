/** A flow of an archived assistant: once the platform has reported it, the editor offers to restore it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CodeLens } from "vscode-languageserver-protocol";
import { startSandbox } from "../../../sandbox";
import { uuidOf } from "../../../sandbox/chance";
import { Editor } from "../../language/editor";

const FILE = "archived.flow.yaml";
const assistant = uuidOf("demo/assistant/archived");
const revision = uuidOf("demo/revision/archived");
const text = `assistant: ${assistant}\nrevision: ${revision}\nentry: bye\nnodes:\n  bye: {type: end}\n`;

test("after a push that was rejected for it, a lens restores the archived assistant", { timeout: 60_000 }, async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, {});
  const offers = async () => {
    const lenses = await editor.client.request<CodeLens[]>("textDocument/codeLens", {
      textDocument: { uri: editor.uri(FILE) },
    });
    const resolved = await Promise.all(lenses.map((lens) => editor.client.request<CodeLens>("codeLens/resolve", lens)));
    return resolved.filter(({ command }) => command?.command === "assistantFlow.restoreAssistant");
  };
  try {
    await editor.write(FILE, text);
    await editor.open(FILE, text);
    assert.deepEqual(await offers(), []);
    const blocked = editor.next("blocked");
    await editor.save(FILE, text.replace("{type: end}", "{type: end, name: Bye}"));
    await blocked;
    const [finding] = await editor.findings(FILE, (each) => each.length > 0);
    assert.match(String(finding?.message), /archived/);
    const [lens] = await offers();
    assert.deepEqual(lens?.command, {
      title: "Restore Assistant",
      command: "assistantFlow.restoreAssistant",
      arguments: [assistant],
    });
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
