/** Only saves by the user are pushed; auto-saves wait. Through the language server alone. */
import assert from "node:assert/strict";
import { readFile, rename } from "node:fs/promises";
import { test } from "node:test";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { SyncedFile } from "../../../server/sync/synced-file";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";
const assistant = "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101";
const revision = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102";

/** A flow that was pushed once, so it needs no confirmation. */
async function story(
  sync: object,
  body: (editor: Editor, text: string, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { sync });
  try {
    const text = (await readFile("examples/support-line.flow.yaml", "utf8")).replace("name: Greeting", "name: Hello");
    await editor.write(FILE, text);
    const opened = editor.next("pending");
    await editor.open(FILE, text);
    await opened;
    const pushed = editor.next("synced");
    await editor.act(FILE, "push");
    await pushed;
    await body(editor, text, sandbox);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
}

const version = async ({ platform }: Editor) => (await platform.getWorkflowRevision(revision)).graph_version;

for (const [reason, when] of [
  [2, "after a delay"],
  [3, "when it loses the focus"],
] as const)
  test(`an editor that saves by itself ${when} pushes nothing; a manual save or push does`, () =>
    story({}, async (editor, text) => {
      const before = await version(editor);
      const autosaved = () => editor.next("pending", (state) => state.reason === "autosaved");
      const first = autosaved();
      await editor.autosave(FILE, text.replace("name: Hello", "name: TODO"), reason);
      assert.match((await first).text, /^pending \(unpushed changes\)$/);
      assert.match((await first).message, /1 node changed/);
      const second = autosaved();
      await editor.autosave(FILE, text.replace("name: Hello", "name: TODO two"), reason);
      await second;
      assert.equal(await version(editor), before, "nothing went out");

      // VS Code saves again when the user asks for it, changed or not.
      const saved = editor.next("synced");
      await editor.save(FILE);
      await saved;
      assert.equal(await version(editor), (before ?? 0) + 1);

      const third = autosaved();
      await editor.autosave(FILE, text.replace("name: Hello", "name: TODO three"), reason);
      await third;
      assert.equal((await editor.act(FILE, "push")).kind, "synced");
      assert.equal(await version(editor), (before ?? 0) + 2);
    }));

test("an autosave that removes most nodes neither pushes nor asks", () =>
  story({}, async (editor, text) => {
    const asked = editor.asked.length;
    const waits = editor.next("pending", (state) => state.reason === "autosaved");
    const head = text.slice(0, text.indexOf("\nentry:"));
    await editor.autosave(FILE, `${head}\nentry: bye\nnodes:\n  bye:\n    type: end\n`);
    assert.match((await waits).message, /nodes removed/);
    assert.equal(editor.asked.length, asked);
  }));

for (const looks of [true, false])
  test(`typing on while an autosave is written isn't a change from outside: checked ${looks ? "before" : "after"} its report`, () =>
    story({}, async (editor, text) => {
      const before = await version(editor);
      const autosaved = text.replace("name: Hello", "name: Half");
      const whole = text.replace("name: Hello", "name: Half done");
      const { connection } = editor.client;
      const textDocument = { uri: editor.uri(FILE) };
      await editor.type(FILE, `${autosaved}\n\n`);
      await connection.sendNotification("textDocument/willSave", { textDocument, reason: 2 });
      // The editor trims the text before it writes it.
      await editor.type(FILE, autosaved);
      await editor.write(FILE, autosaved);
      await editor.type(FILE, whole);
      if (looks) await editor.act(FILE, "look");
      const waits = editor.next("pending", (state) => state.reason === "autosaved");
      await connection.sendNotification("textDocument/didSave", { textDocument });
      await waits;
      await editor.act(FILE, "look");
      assert.deepEqual(
        editor.states.filter(({ reason }) => reason === "paused"),
        [],
      );
      const pushed = editor.next("synced", (state) => state.version !== before);
      await editor.save(FILE);
      await pushed;
    }));

test("after a save that failed, a change by another program counts, also once the editor has loaded it", () =>
  story({}, async (editor, text) => {
    const textDocument = { uri: editor.uri(FILE) };
    await editor.type(FILE, text.replace("name: Hello", "name: Lost"));
    await editor.client.connection.sendNotification("textDocument/willSave", { textDocument, reason: 1 });
    await editor.type(FILE, text);
    const other = text.replace("name: Hello", "name: Checked out");
    await editor.write(FILE, other);
    const paused = editor.next("pending", ({ reason }) => reason === "paused");
    await editor.type(FILE, other);
    await editor.watched(FILE);
    assert.match((await paused).message, /1 node changed/);
  }));

test("the setting makes an autosave push", () =>
  story({ onAutoSave: "on" }, async (editor, text) => {
    const before = await version(editor);
    const pushed = editor.next("synced", (state) => state.version !== before);
    await editor.autosave(FILE, text.replace("name: Hello", "name: Hello there"));
    await pushed;
  }));

/** The flow with nodes that need three batches. */
const withMany = (text: string, name: string) =>
  text.replace(
    /\nnodes:\n/,
    `\nnodes:\n${Array.from({ length: 450 }, (_, i) => `  s_${i}: {type: end, name: ${name}}\n`).join("")}`,
  );

test("a running push finishes with its own text, despite autosaves", () =>
  story({}, async (editor, text) => {
    const before = await version(editor);
    const first = editor.next("syncing", ({ batch }) => batch === 1);
    await editor.save(FILE, withMany(text, "One"));
    await first;
    const done = editor.next("synced");
    const waits = editor.next("pending", (state) => state.reason === "autosaved");
    await editor.autosave(FILE, withMany(text, "Two"));
    assert.equal((await done).version, (before ?? 0) + 3, "all three batches went out");
    assert.match((await waits).message, /450 nodes changed/);
    assert.equal((await editor.act(FILE, "push")).kind, "synced");
  }));

test("a file that is renamed while its autosave waits for a push keeps its revision", () =>
  story({}, async (editor, text) => {
    const first = editor.next("syncing", ({ batch }) => batch === 1);
    await editor.save(FILE, withMany(text, "One"));
    await first;
    await editor.autosave(FILE, withMany(text, "Two"));
    const moved = "moved.flow.yaml";
    await rename(new URL(editor.uri(FILE)), new URL(editor.uri(moved)));
    await editor.close(FILE);
    await editor.open(moved, withMany(text, "Two"));
    const files = [{ oldUri: editor.uri(FILE), newUri: editor.uri(moved) }];
    await editor.client.connection.sendNotification("workspace/didRenameFiles", { files });
    for (let round = 0; round < 3; round++) {
      const { kind, message } = await editor.act(moved, "push");
      assert.equal(kind, "synced", message);
    }
  }));

test("platform changes aren't merged while typing: an autosave reports them", () =>
  story({}, async (editor, text) => {
    const theirs = { op: "update_node_fields" as const, node_id: "goodbye", fields: { name: "Theirs" } };
    await editor.platform.applyGraphOps(assistant, revision, { ops: [theirs] });
    const waits = editor.next("pending", (state) => state.reason === "autosaved");
    const typed = text.replace("name: Hello", "name: Mine");
    await editor.autosave(FILE, typed);
    await waits;
    // The platform returns a change once it has compiled it.
    for (let round = 0; (await editor.act(FILE, "look")).kind !== "diverged"; round++) {
      assert.ok(round < 100, "it is seen");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal(editor.text(FILE), typed);
    assert.equal((await editor.act(FILE, "pull")).reason, "autosaved");
    assert.match(editor.text(FILE), /name: Theirs/);
    assert.match(editor.text(FILE), /name: Mine/);
    assert.equal((await editor.act(FILE, "push")).kind, "synced");
  }));

test("a check never creates a version, even if the revision can't be read and nothing was pushed yet", async () => {
  const sandbox = await startSandbox({ demo: true, without: ["revision-read"] });
  const editor = await Editor.start(sandbox, {});
  const sent: string[] = [];
  editor.intercept = ({ method, path }) => {
    if (method !== "GET") sent.push(path);
    return undefined;
  };
  try {
    const text = (await readFile("examples/support-line.flow.yaml", "utf8")).replace("name: Greeting", "name: Hello");
    await editor.write(FILE, text);
    const opened = editor.next("unknown");
    await editor.open(FILE, text);
    await opened;
    const before = sent.length;
    for (let round = 0; round < 3; round++) await editor.act(FILE, "look");
    assert.equal(sent.length, before, "before the first push");
    await editor.act(FILE, "push");
    const after = sent.length;
    for (let round = 0; round < 3; round++) await editor.act(FILE, "look");
    assert.equal(sent.length, after, "after it");
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});

test("a merge that the editor autosaves first is pushed with its resolution", () =>
  story({}, async (editor, text) => {
    const theirs = { op: "update_node_fields" as const, node_id: "greet", fields: { name: "Theirs" } };
    const also = { op: "update_node_fields" as const, node_id: "goodbye", fields: { name: "Also theirs" } };
    await editor.platform.applyGraphOps(assistant, revision, { ops: [theirs, also] });
    const conflict = editor.next("conflict");
    const ours = text.replace("name: Hello", "name: Mine").replace("name: Customer number", "name: Number");
    await editor.save(FILE, ours);
    const { conflicts, merges = [] } = await conflict;
    assert.deepEqual(
      merges.map((each) => each.text),
      ["~ node goodbye: name"],
    );
    editor.autosavesEdits = true;
    const choices = Object.fromEntries(conflicts.map(({ key }) => [key, "theirs"]));
    const state = await editor.client.request("assistantFlow/resolve", { uri: editor.uri(FILE), choices });
    assert.equal((state as { kind: string }).kind, "synced");
    assert.match(editor.text(FILE), /name: Theirs/);
    assert.match(editor.text(FILE), /name: Also theirs/);
  }));

test("a file that is saved again while it's read has the text of the later save", async () => {
  const file = new SyncedFile("file:///a.flow.yaml", () => undefined);
  const save = (text: string) => {
    file.willSave(text);
    file.didSave(text);
  };
  let answer: (text: string) => void = () => undefined;
  save("first");
  const reading = file.readWritten(() => new Promise((resolve) => (answer = resolve)));
  save("second");
  answer("first");
  await reading;
  assert.equal(file.saved, "second");
  await file.readWritten(async () => "second");
  assert.equal(file.saved, "second");
});
