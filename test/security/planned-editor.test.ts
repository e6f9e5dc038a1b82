/**
 * What an editor shows before a first push, or offers as "fix all", is exactly what is sent or applied; otherwise
 * nothing is.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inspect } from "node:util";
import type { CodeAction, Command, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { type Sandbox, startSandbox } from "../../sandbox";
import { graphOfRevision } from "../../sync";
import { Client } from "../language/client";
import { Editor } from "../language/editor";

const FILE = "support.flow.yaml";
const ALLOWED_MS = { timeout: 120_000 };

interface FirstPush {
  readonly editor: Editor;
  readonly sandbox: Sandbox;
  /** The flow with another name of its first node. */
  named(words: string): string;
  /** Triggers a question of the server, and returns how to answer it. */
  asked(act: () => unknown): Promise<(yes: boolean) => void>;
  /** The next push that the platform accepts. */
  pushed(): Promise<unknown>;
  onPlatform(): Promise<string>;
  /** Another user changes the first node. */
  colleague(fields: Record<string, unknown>): Promise<unknown>;
  /** The fields of nodes that the editor has sent. */
  sent(): readonly unknown[];
}

/** A linked file with an open question about its first push. */
async function firstPush(work: (push: FirstPush, answer: (yes: boolean) => void) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, {});
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  try {
    const text = await readFile("examples/support-line.flow.yaml", "utf8");
    await editor.write(FILE, text);
    const synced = editor.next("synced");
    await editor.open(FILE, text);
    const { version: before = 0 } = await synced;
    const sent: unknown[] = [];
    editor.intercept = ({ method, body }) => {
      const { ops = [] } = (method === "POST" ? body : {}) as { ops?: { op: string; fields?: object }[] };
      // A batch that adds and removes a variable reads the graph.
      for (const { op, fields = {} } of ops)
        if (!op.endsWith("context_variable")) sent.push({ ...fields, source_span: undefined });
      return undefined;
    };
    const push: FirstPush = {
      editor,
      sandbox,
      named: (words) => text.replace("name: Greeting", `name: ${words}`),
      asked: async (act) => {
        let answer: (yes: boolean) => void = () => undefined;
        editor.agrees = new Promise((resolve) => {
          answer = resolve;
        });
        const question = editor.nextQuestion();
        await act();
        await question;
        return answer;
      },
      pushed: () => editor.next("synced", ({ version = 0 }) => version > before),
      onPlatform: async () => inspect(await graphOfRevision(editor.platform, revision, assistant), { depth: null }),
      colleague: (fields) =>
        editor.platform.applyGraphOps(assistant, revision, {
          ops: [{ op: "update_node_fields", node_id: "greet", fields }],
        }),
      sent: () => sent,
    };
    await work(push, await push.asked(() => editor.save(FILE, push.named("Shown"))));
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
}

/** The part of a question about the first node's new name. */
const shownBy = ({ asked }: Editor) => JSON.stringify(asked.at(-1)?.plan.lines);

/** An answer within 200 ms comes from a program. */
async function readQuestion(): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < 250; ) await new Promise((resolve) => setTimeout(resolve, 50));
}

test("first push: text that was typed after the question isn't sent", ALLOWED_MS, () =>
  firstPush(async ({ editor, named, pushed, onPlatform }, answer) => {
    assert.match(shownBy(editor), /Shown/);
    await editor.type(FILE, named("Smuggled"));
    const done = pushed();
    answer(true);
    await done;
    const there = await onPlatform();
    assert.ok(there.includes("Shown") && !there.includes("Smuggled"));
    assert.equal(editor.text(FILE), named("Smuggled"), "it stays in the editor");
  }),
);

test(
  "first push: if the file is saved again meanwhile, the answer sends nothing, and the new plan is asked about",
  ALLOWED_MS,
  () =>
    firstPush(async ({ editor, named, onPlatform, pushed, asked }, answer) => {
      await asked(() => editor.save(FILE, named("Later")));
      const again = await asked(() => answer(true));
      assert.ok(!/Shown|Later/.test(await onPlatform()), "nothing is sent by the first answer");
      assert.ok(shownBy(editor).includes("Later") && !shownBy(editor).includes("Shown"));
      const done = pushed();
      again(true);
      await done;
      assert.match(await onPlatform(), /Later/);
    }),
);

test("first push: if another program changes the file meanwhile, nothing is sent", ALLOWED_MS, () =>
  firstPush(async ({ editor, named, onPlatform }, answer) => {
    await editor.write(FILE, named("Smuggled"));
    await readQuestion();
    const paused = editor.next("pending", ({ reason }) => reason === "paused");
    answer(true);
    await paused;
    assert.ok(!/Shown|Smuggled/.test(await onPlatform()));
    assert.equal(await editor.onDisk(FILE), named("Smuggled"));
  }),
);

test("first push: if the platform changes the same meanwhile, nothing is sent", ALLOWED_MS, () =>
  firstPush(async ({ editor, colleague, onPlatform }, answer) => {
    await colleague({ name: "Theirs" });
    await readQuestion();
    const conflict = editor.next("conflict");
    answer(true);
    await conflict;
    const there = await onPlatform();
    assert.ok(there.includes("Theirs") && !there.includes("Shown"));
  }),
);

test(
  "first push: if the platform changes something else meanwhile, what was shown is sent and nothing more",
  ALLOWED_MS,
  () =>
    firstPush(async ({ colleague, sent, onPlatform, pushed }, answer) => {
      await colleague({ mood: "warm" });
      await readQuestion();
      const done = pushed();
      answer(true);
      await done;
      assert.deepEqual(sent(), [{ name: "Shown", source_span: undefined }]);
      const there = await onPlatform();
      assert.ok(there.includes("warm") && there.includes("Shown"));
    }),
);

test("first push: the answer isn't for another revision that the file names by then", ALLOWED_MS, () =>
  firstPush(async ({ editor, sandbox, named, sent }, answer) => {
    const other = "b84e2d17-6c0b-4f93-8e25-1b9d4c6f0199";
    const said = new Promise<{ message: string }>((resolve) =>
      editor.client.connection.onNotification("window/showMessage", resolve),
    );
    const linked = editor.next("blocked");
    await editor.save(FILE, named("Shown").replace(sandbox.demo?.revision ?? "", other));
    await linked;
    answer(true);
    assert.match((await said).message, /Nothing was pushed/);
    assert.deepEqual(sent(), []);
  }),
);

const FLAWED =
  "entry: greet\nnodes:\n  greet: {type: message, instructions: Hello, edges: [{to: byee}]}\n  bye: {type: end}\n";
const URI = "file:///planned/flawed.flow.yaml";
const wholeFile = { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } };
const fixAll = {
  textDocument: { uri: URI },
  range: wholeFile,
  context: { diagnostics: [], only: ["source.fixAll"] },
};

/** An editor that has offered "fix all" for the text, and whose text changes then. */
async function offered(
  codeAction: object,
  work: (client: Client, offer: CodeAction & Command) => Promise<void>,
): Promise<void> {
  const client = await Client.start({
    capabilities: {
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
      textDocument: { codeAction },
    },
  });
  try {
    await client.open(URI, FLAWED);
    const [offer] = await client.request<(CodeAction & Command)[]>("textDocument/codeAction", fixAll);
    assert.ok(offer);
    await work(client, offer);
  } finally {
    await client.stop();
  }
}

const LITERALS = { codeActionLiteralSupport: { codeActionKind: { valueSet: ["source.fixAll"] } } };
const LATER = { ...LITERALS, resolveSupport: { properties: ["edit"] } };
const changed = (client: Client) => client.change(URI, 2, [{ text: FLAWED.replace("Hello", "# mine\\n Hello") }]);

test("fix all: an edit names the version of the text it was made for, so an editor refuses it for another", () =>
  offered(LITERALS, async (_, { edit }) => {
    const [only, ...rest] = (edit?.documentChanges ?? []) as TextDocumentEdit[];
    assert.deepEqual([only?.textDocument, rest], [{ uri: URI, version: 1 }, []]);
    assert.equal(only?.edits[0] && "newText" in only.edits[0] && only.edits[0].newText, "bye");
  }));

test("fix all: an offer for an older text isn't resolved", () =>
  offered(LATER, async (client, offer) => {
    const now = await client.request<CodeAction>("codeAction/resolve", offer);
    assert.ok(now.edit, "the text is the same");
    await changed(client);
    const late = await client.request<CodeAction>("codeAction/resolve", offer);
    assert.equal(late.edit, undefined);
  }));

test("fix all: a command that was offered for an older text changes nothing", () =>
  offered({}, async (client, { command, arguments: args }) => {
    const applied: WorkspaceEdit[] = [];
    client.connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
      applied.push(edit);
      return { applied: true };
    });
    const run = () => client.request("workspace/executeCommand", { command, arguments: args });
    await run();
    assert.equal(applied.length, 1, "the text is the same");
    await changed(client);
    await run();
    assert.equal(applied.length, 1);
  }));
