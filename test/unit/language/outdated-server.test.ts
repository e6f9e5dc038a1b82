/**
 * A language server whose flow another process syncs in the meantime: while it is suspended (SIGSTOP), or while its
 * editor has an outdated text. The server is a process, the platform accepts every version, and there is no file
 * watcher.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { FlowDocument, type Graph, graphFromWire } from "../../../flow";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { targetOf } from "../../../sync";
import { Editor } from "../../language/editor";
import { Desk } from "../sync/desk";

const FILE = "line.flow.yaml";
const NODES = `entry: a
nodes:
  # The first.
  a:
    type: message
    instructions: Say a.
    edges: [{to: b}]
  b:
    type: message
    instructions: Say b.
    edges: [{to: c}]
  c: {type: end}
`;

/** How much `passTime` advances the clock of all processes (later-clock.cjs). */
const LATER_MS = 20_000;

interface Story {
  readonly editor: Editor;
  /** Makes the heartbeat of a suspended process stale. */
  passTime(): void;
  /** The server's requests to the platform: `GET` or `POST`. */
  readonly requests: string[];
  /** Called with each request of the server before it is answered. */
  onRequest: (method: string) => void;
  /** Another process pushes a text; another user changes node b; the other process pulls that and writes the file. */
  elsewhere(text: string): Promise<string>;
  /** Another user changes a node on the platform. */
  colleague(node: string, fields: Record<string, unknown>): Promise<void>;
  instructionsOf(node: string): Promise<unknown>;
}

async function story(body: (story: Story) => Promise<void>): Promise<void> {
  const sandbox: Sandbox = await startSandbox({ demo: true, clockSpeed: 200, onVersionMismatch: "apply" });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const clock = mkdtempSync(path.join(tmpdir(), "aflow-clock-"));
  const later = path.join(clock, "later");
  const preload = path.resolve("test/language/later-clock.cjs");
  Object.assign(process.env, { TEST_LATER_FILE: later, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` });
  const editor = await Editor.start(sandbox).finally(() => {
    delete process.env.NODE_OPTIONS;
    delete process.env.TEST_LATER_FILE;
  });
  let passed = 0;
  const other = () => new Desk(sandbox, { assistant, revision }, path.join(editor.folder, ".state"));
  const colleague = new Desk(sandbox, { assistant, revision });
  const requests: string[] = [];
  const remotely = async (node_id: string, fields: Record<string, unknown>) => {
    await colleague.remotely({ op: "update_node_fields", node_id, fields });
  };
  const told: Story = {
    editor,
    requests,
    passTime() {
      writeFileSync(later, "");
      passed = LATER_MS;
    },
    onRequest: () => undefined,
    colleague: remotely,
    async elsewhere(text) {
      const cli = other();
      cli.text = text;
      cli.files = [path.join(editor.folder, FILE)];
      cli.pass(passed);
      cli.sync.save(targetOf(FlowDocument.read(text)), "manual");
      const pushed = await cli.sync.push();
      assert.equal(pushed.state.kind, "synced", JSON.stringify(pushed.state));
      await remotely("b", { instructions: "A colleague's b." });
      assert.equal((await cli.sync.pull()).state.kind, "synced");
      assert.match(cli.text, /A colleague's b\./);
      await cli.sync.close();
      await editor.write(FILE, cli.text);
      return cli.text;
    },
    async instructionsOf(node) {
      const { validation } = await editor.platform.applyGraphOps(assistant, revision, {
        ops: [
          { op: "upsert_context_variable", variable: { name: "test_look" } },
          { op: "remove_context_variable", name: "test_look" },
        ],
      });
      return (graphFromWire(validation?.normalized_graph) as Graph).nodes.get(node)?.instructions;
    },
  };
  editor.intercept = ({ method }) => {
    requests.push(method);
    told.onRequest(method);
    return undefined;
  };
  try {
    const text = `assistant: ${assistant}\nrevision: ${revision}\n${NODES}`;
    await editor.write(FILE, text);
    await editor.open(FILE, text);
    const synced = editor.next("synced");
    await editor.save(FILE);
    await synced;
    requests.length = 0;
    await body(told);
  } finally {
    rmSync(clock, { recursive: true, force: true });
    await colleague.close();
    await editor.stop();
    await sandbox.stop();
  }
}

test("a server suspended between check and batch sends nothing of its plan", () =>
  story(async (at) => {
    const { editor } = at;
    const server = editor.client.process;
    const stopped = new Promise<void>((resolve) => {
      at.onRequest = (method) => {
        if (method !== "GET") return;
        // The answer waits in the pipe until the process continues.
        server.kill("SIGSTOP");
        at.onRequest = () => undefined;
        resolve();
      };
    });
    const mine = editor.text(FILE).replace("Say a.", "My a.");
    await editor.save(FILE, mine);
    await stopped;
    try {
      at.passTime();
      await at.elsewhere(mine);
      at.requests.length = 0;
    } finally {
      server.kill("SIGCONT");
    }
    await editor.next("synced");
    assert.ok(!at.requests.includes("POST"), at.requests.join(" "));
    assert.equal(await at.instructionsOf("a"), "My a.");
    assert.equal(await at.instructionsOf("b"), "A colleague's b.");
    assert.match(await editor.onDisk(FILE), /A colleague's b\./);

    // The editor hasn't reloaded the file, and saves its text with another change.
    const saved = editor.next("synced");
    await editor.save(FILE, mine.replace("c: {type: end}", "c: {type: end, name: The end}"));
    await saved;
    assert.equal(await at.instructionsOf("a"), "My a.");
    assert.equal(await at.instructionsOf("b"), "A colleague's b.");
    assert.match(await editor.onDisk(FILE), /# The first\.[\s\S]*My a\.[\s\S]*A colleague's b\.[\s\S]*The end/);
  }));

test("saving a text older than the disk that changes a colleague's field is a conflict", () =>
  story(async (at) => {
    const { editor } = at;
    await at.elsewhere(editor.text(FILE));
    await editor.act(FILE, "look");
    at.requests.length = 0;
    const conflict = editor.next("conflict");
    await editor.save(FILE, editor.text(FILE).replace("Say b.", "My b."));
    await conflict;
    assert.ok(!at.requests.includes("POST"), at.requests.join(" "));
    assert.equal(await at.instructionsOf("b"), "A colleague's b.");
  }));

test("saving a text older than the disk, with platform changes merged, loses nothing", () =>
  story(async (at) => {
    const { editor } = at;
    await at.elsewhere(editor.text(FILE));
    await editor.act(FILE, "look");
    await at.colleague("c", { timeout: 30 });
    await editor.act(FILE, "pull");
    assert.match(editor.text(FILE), /timeout: 30/);
    at.requests.length = 0;
    const saved = editor.next("synced");
    await editor.save(FILE);
    await saved;
    assert.equal(await at.instructionsOf("b"), "A colleague's b.");
    assert.match(await editor.onDisk(FILE), /A colleague's b\.[\s\S]*timeout: 30/);
  }));
