/** Saves through the language server, over stdio, against the sandbox, in an editor without our client. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fetchTransport, PlatformClient, Secret } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { noticesOf, questionOf } from "../../../server/sync/notices";
import { waitsFor } from "../../../sync/sentences";
import { Client, inTime } from "../../language/client";

const assistant = "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101";
const revision = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102";

interface Shown {
  readonly message: string;
  /** Titles of the buttons; empty for a plain message. */
  readonly buttons: readonly string[];
}

/** An editor that declares nothing at the start, and only shows messages. */
class PlainEditor {
  readonly shown: Shown[] = [];
  /** The user's answer to each question. */
  choose: (shown: Shown) => string | undefined = () => "Push";
  text = "";
  #version = 1;
  #waiting: (() => void)[] = [];

  private constructor(
    readonly client: Client,
    readonly file: string,
    readonly sandbox: Sandbox,
    canAsk: boolean,
  ) {
    const { connection } = client;
    const show = (message: string, buttons: readonly string[]) => {
      this.shown.push({ message, buttons });
      for (const wake of this.#waiting.splice(0)) wake();
    };
    if (canAsk)
      connection.onRequest(
        "window/showMessageRequest",
        ({ message, actions = [] }: { message: string; actions?: { title: string }[] }) => {
          const buttons = actions.map(({ title }) => title);
          show(message, buttons);
          const title = this.choose({ message, buttons });
          return title === undefined ? null : { title };
        },
      );
    connection.onNotification("window/showMessage", ({ message }: { message: string }) => show(message, []));
    connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
  }

  static async start(folder: string, sandbox: Sandbox, canAsk: boolean): Promise<PlainEditor> {
    process.env.ASSISTANT_FLOW_BASE_URL = sandbox.baseUrl;
    process.env.ASSISTANT_FLOW_WORKFLOW_BASE_URL = sandbox.workflowBaseUrl;
    process.env.ASSISTANT_FLOW_API_KEY = sandbox.apiKey;
    process.env.ASSISTANT_FLOW_STATE_DIR = path.join(folder, "state");
    const editor = new PlainEditor(await Client.start(), path.join(folder, "support.flow.yaml"), sandbox, canAsk);
    editor.text = await readFile("examples/support-line.flow.yaml", "utf8");
    await writeFile(editor.file, editor.text);
    await editor.client.open(editor.uri, editor.text);
    return editor;
  }

  get uri(): string {
    return pathToFileURL(this.file).href;
  }

  /** Another user's client of the platform. */
  get platform(): PlatformClient {
    const { baseUrl, workflowBaseUrl, apiKey } = this.sandbox;
    return new PlatformClient(fetchTransport({ baseUrl, workflowBaseUrl, key: new Secret(apiKey) }));
  }

  async save(text = this.text): Promise<void> {
    this.text = text;
    await this.client.change(this.uri, ++this.#version, [{ text }]);
    await writeFile(this.file, text);
    await this.client.connection.sendNotification("textDocument/didSave", { textDocument: { uri: this.uri } });
  }

  /** The editor auto-saves after a delay, and reports it. */
  async autosave(text: string): Promise<void> {
    const textDocument = { uri: this.uri };
    await this.client.connection.sendNotification("textDocument/willSave", { textDocument, reason: 2 });
    await this.save(text);
  }

  async changedOutside(text: string): Promise<void> {
    this.text = text;
    await writeFile(this.file, text);
    await this.client.change(this.uri, ++this.#version, [{ text }]);
    const changes = [{ uri: this.uri, type: 2 }];
    await this.client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
  }

  /** The next message; none is missed. */
  #read = 0;
  async next(): Promise<Shown> {
    while (this.shown.length <= this.#read)
      await inTime(new Promise<void>((resolve) => this.#waiting.push(resolve)), () => "something to be shown");
    return this.shown[this.#read++] as Shown;
  }

  /** Waits until the platform has `name` for a node. */
  async reached(node: string, name: string): Promise<void> {
    const look = async (): Promise<void> => {
      for (;;) {
        const { compiled_graph } = await this.platform.getWorkflowRevision(revision);
        if (JSON.stringify(compiled_graph).includes(JSON.stringify(name))) return;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    };
    await inTime(look(), () => `${node} to be called ${name}; shown: ${JSON.stringify(this.shown)}`);
  }

  colleague(node_id: string, fields: Record<string, string>): Promise<unknown> {
    return this.platform.applyGraphOps(assistant, revision, { ops: [{ op: "update_node_fields", node_id, fields }] });
  }
}

async function story(body: (editor: PlainEditor) => Promise<void>, canAsk = true): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "aflow-sync-"));
  const sandbox = await startSandbox({ demo: true });
  let editor: PlainEditor | undefined;
  try {
    editor = await PlainEditor.start(folder, sandbox, canAsk);
    await body(editor);
  } finally {
    await editor?.client.stop();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function fromPlatform(found: { diagnostics: { source?: string }[] }): boolean {
  return found.diagnostics.some((diagnostic) => diagnostic.source === "platform");
}

const firstPush = ({ sandbox: { baseUrl } }: PlainEditor) =>
  `support.flow.yaml: First push to ${baseUrl}: 1 node changed. Push?`;

test("a save reaches the platform, and its findings are shown once on their lines", () =>
  story(async (editor) => {
    // A finding that repeats our rule is hidden; with the rule off, it is shown.
    await editor.client.configure({ assistantFlow: { rules: { "undefined-variable": "off" } } });
    await editor.save(
      editor.text.replace("what is open on account {{account_id}}", "what is open on account {{acount_id}}"),
    );
    const found = await editor.client.nextPublish((params) => params.uri === editor.uri && fromPlatform(params));
    const platform = found.diagnostics.filter((diagnostic) => diagnostic.source === "platform");
    assert.deepEqual(
      platform.map(({ code, range }) => `${code} ${editor.text.split("\n")[range.start.line]?.trim()}`),
      ["variable.unknown instructions: Mention the Northwind app, which shows what is open on account {{acount_id}}."],
    );
    assert.deepEqual(
      editor.shown.map(({ message }) => message),
      [firstPush(editor)],
    );
  }));

test("a declined first push is reported and asked again by the next save; a pause by each save", () =>
  story(async (editor) => {
    editor.choose = () => undefined;
    await editor.save(editor.text.replace("name: Greeting", "name: Hello"));
    assert.deepEqual(await editor.next(), { message: firstPush(editor), buttons: ["Push", "Not Now"] });
    assert.match((await editor.next()).message, /^support\.flow\.yaml: Unpushed changes: .* The next save asks again/);
    editor.choose = () => "Push";
    await editor.save();
    assert.deepEqual(await editor.next(), { message: firstPush(editor), buttons: ["Push", "Not Now"] });
    await editor.reached("greet", "Hello");

    editor.choose = () => undefined;
    await editor.changedOutside(editor.text.replace("name: Hello", "name: Branch"));
    const paused = await editor.next();
    assert.match(paused.message, /changed from outside the editor \(1 node changed\)/);
    assert.deepEqual(paused.buttons, ["Push"]);
    editor.choose = () => "Push";
    await editor.save(editor.text.replace("name: Branch", "name: Branch two"));
    assert.deepEqual((await editor.next()).buttons, ["Push"]);
    await editor.reached("greet", "Branch two");
    assert.equal(editor.shown.length, 5, JSON.stringify(editor.shown));
  }));

test("an autosave waits: this is shown once with Push, and a save pushes", () =>
  story(async (editor) => {
    assert.equal((editor.client.server.capabilities.textDocumentSync as { willSave?: boolean }).willSave, true);
    await editor.save(editor.text.replace("name: Greeting", "name: Hello"));
    await editor.next();
    await editor.reached("greet", "Hello");
    const before = (await editor.platform.getWorkflowRevision(revision)).graph_version;
    editor.choose = () => undefined;
    await editor.autosave(editor.text.replace("name: Hello", "name: TODO"));
    const { message, buttons } = await editor.next();
    assert.match(message, /There are unpushed changes: the file was saved automatically\. Save it yourself to push\./);
    assert.deepEqual(buttons, ["Push"]);
    assert.equal((await editor.platform.getWorkflowRevision(revision)).graph_version, before);
    await editor.save();
    await editor.reached("greet", "TODO");
    await editor.autosave(editor.text.replace("name: TODO", "name: TODO two"));
    await editor.save();
    await editor.reached("greet", "TODO two");
    assert.equal(editor.shown.length, 2, "not said again");
  }));

test("a conflict is described and resolved by a button, even after it was postponed", () =>
  story(async (editor) => {
    await editor.save(editor.text.replace("name: Greeting", "name: Hello"));
    await editor.next();
    await editor.reached("greet", "Hello");
    await editor.colleague("greet", { name: "Hello, theirs" });
    editor.choose = () => undefined;
    await editor.save(editor.text.replace("name: Hello", "name: Hello, mine"));
    const first = await editor.next();
    editor.choose = () => "Keep Mine";
    await editor.save();
    assert.deepEqual(await editor.next(), first);
    const { message, buttons } = first;
    assert.match(message, /^support\.flow\.yaml: Your changes conflict with .*\n- .*greet.*name/);
    assert.deepEqual(buttons, ["Keep Mine", "Use Platform"]);
    await editor.reached("greet", "Hello, mine");
  }));

test("an editor without buttons gets instructions instead", () =>
  story(async (editor) => {
    await editor.save(editor.text.replace("name: Greeting", "name: Hello"));
    const { message } = await editor.next();
    assert.ok(message.startsWith(firstPush(editor)), message);
    assert.match(message, /Close the file here and run "assistant-flow push --allow-first-push .*support\.flow\.yaml"/);
  }, false));

test("every reason for a waiting push is shown, except open questions and background work", () => {
  const state = { uri: "file:///a.flow.yaml", text: "", message: "It waits.", conflicts: [], kind: "pending" } as const;
  const rest = { errors: 0, warnings: 0, risks: 0 };
  const silent = Object.keys(waitsFor).filter((reason) => noticesOf({ ...state, ...rest, reason }).state === undefined);
  assert.deepEqual(silent, ["asking", "manual"]);
});

test("the command shown to an editor without buttons quotes the file", () => {
  const state = {
    uri: "file:///my%20flows/it%27s%20%24%28x%29.flow.yaml",
    text: "",
    message: "",
    conflicts: [],
  } as const;
  const rest = { errors: 0, warnings: 0, risks: 0 };
  const { state: said } = noticesOf({ ...state, ...rest, kind: "diverged" });
  const path =
    process.platform === "win32" ? /'.*it''s \$\(x\)\.flow\.yaml'/ : /pull '\/my flows\/it'\\''s \$\(x\)\.flow\.yaml'"/;
  assert.match(said?.otherwise ?? "", path);
});

test("lasting notes are shown beside the state", () => {
  const state = { uri: "file:///a.flow.yaml", kind: "synced", text: "synced v3", message: "", conflicts: [] } as const;
  const counts = { errors: 0, warnings: 0 };
  const { state: itself, risks, setAside } = noticesOf({ ...state, ...counts, risks: 2, setAside: "It was damaged." });
  assert.equal(itself, undefined);
  assert.match(risks?.text ?? "", /overwritten someone else's change.*\(2 times\)/);
  assert.deepEqual(
    risks?.buttons?.map(({ title }) => title),
    ["Dismiss Warning"],
  );
  assert.equal(setAside?.text, "It was damaged.");
});

test("a first push that removes many nodes mentions both, and names both flags", () => {
  const plan = { summary: "9 nodes removed", batches: 1, lines: [], renames: [] };
  const to = { address: "https://platform.example", assistant: "a", revision: "r" };
  const question = {
    uri: "file:///flows/a.flow.yaml",
    reason: "first-push",
    plan,
    to,
    removesMany: true,
    removesNodes: true,
  } as const;
  const { text, otherwise } = questionOf(question);
  assert.match(text, /First push to https:\/\/platform\.example: 9 nodes removed\..*more than 20%/s);
  assert.match(otherwise, /push --allow-first-push --allow-removals/);
  assert.doesNotMatch(questionOf({ ...question, removesMany: false }).otherwise, /removals/);
});
