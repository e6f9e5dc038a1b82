/** The plan says what was and what would be, field by field; a flow that nobody has opened has a state. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { startSandbox } from "../../../sandbox";
import type { PlanView } from "../../../server/messages";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";

test("old and new values of nodes, variables, entry and persona; after a restart the closed flow says where it stands", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, {});
  try {
    const text = await readFile("examples/support-line.flow.yaml", "utf8");
    await editor.write(FILE, text);
    const synced = editor.next("synced");
    await editor.open(FILE, text);
    await synced;
    await editor.type(
      FILE,
      text
        .replace("name: Greeting", "name: Hello")
        .replace("entry: greet", "entry: ask_name")
        .replace("enum_values: [silver, gold]", "enum_values: [silver]")
        .replace("You are calm, brief", "You are brief"),
    );
    const plan = await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) });
    const changes = Object.fromEntries(
      plan.lines.flatMap((line) => (line.changes ?? []).map(({ field, before, after }) => [field, [before, after]])),
    );
    assert.deepEqual(changes.name, ["“Greeting”", "“Hello”"]);
    assert.deepEqual(changes.entry, ["“greet”", "“ask_name”"]);
    assert.deepEqual(changes.enum_values, ['["silver","gold"]', '["silver"]']);
    assert.match(changes.persona?.[0] ?? "", /You are calm, brief/);
    assert.match(changes.persona?.[1] ?? "", /You are brief/);
    assert.equal(
      plan.lines.some(({ changes: each }) => each?.some(({ field }) => field === "source_span")),
      false,
    );

    await editor.save(FILE, text);
    await editor.restart();
    const closed = await editor.next("synced");
    assert.equal(closed.uri, editor.uri(FILE));
    await editor.write(FILE, text.replace("name: Greeting", "name: Hello"));
    await editor.restart();
    assert.match((await editor.next("pending")).message, /1 node changed/);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
