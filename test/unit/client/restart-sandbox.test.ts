/** A sandbox that another program started and that has ended is restarted with the same port, key and data. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { EventEmitter, type ExtensionContext } from "vscode";
import { LocalSandbox } from "../../../client/connections/local-sandbox";
import { SANDBOX } from "../../../client/connections/sandbox-connection";
import type { Session } from "../../../client/connections/session";
import { type ConnectionSecret, temporaryId } from "../../../client/connections/store";
import { registerNotices } from "../../../client/ui/notice";
import { fetchTransport, PlatformClient, Secret } from "../../../platform";
import { inProject } from "../../../scripts/project";
import { vscodeStub } from "../../support/vscode";

test("Restart brings back the same sandbox; if its port is taken, it asks", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-restart-"));
  const env = { ...process.env };
  Object.assign(process.env, { NODE_OPTIONS: "--import tsx", ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") });
  delete process.env.NODE_TEST_CONTEXT;
  // The sources are used instead of the bundle.
  mkdirSync(path.join(folder, "dist"));
  writeFileSync(path.join(folder, "dist", "cli.js"), `require(${JSON.stringify(inProject("cli/main.ts"))});`);
  let theirs: ChildProcess | undefined;
  let sandbox: LocalSandbox | undefined;
  try {
    const args = ["sandbox", "--demo", "--json", "--shared", "--data-dir", path.join(folder, "theirs")];
    const started = spawn(process.execPath, [inProject("cli/main.ts"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    theirs = started;
    const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
    const {
      base_url: baseUrl,
      workflow_base_url: workflowBaseUrl,
      api_key,
    } = JSON.parse(line) as Record<string, string>;
    let secret = { baseUrl, workflowBaseUrl, key: new Secret(api_key as string) } as ConnectionSecret;
    const client = () => new PlatformClient(fetchTransport(secret));
    const made = await client().createApiKey({ name: "Made before" });

    const changed = new EventEmitter<void>();
    const session = {
      state: "connected",
      onDidChange: changed.event,
      get connection() {
        return { id: temporaryId(SANDBOX), baseUrl: secret.baseUrl };
      },
      get client() {
        return client();
      },
      refresh: async (): Promise<void> => {},
      store: {
        isActive: () => true,
        get: () => secret,
        secret: async () => secret,
        addTemporary: (_name: string, now: ConnectionSecret) => {
          secret = now;
        },
        activate: async () => undefined,
      },
    };
    const context = {
      subscriptions: [],
      extensionUri: { fsPath: folder },
      globalStorageUri: { fsPath: path.join(folder, "own") },
      globalState: { get: () => undefined, update: async () => undefined },
      secrets: { get: async () => undefined, store: async () => undefined },
    };
    sandbox = new LocalSandbox(context as unknown as ExtensionContext, session as unknown as Session);
    registerNotices(context as unknown as ExtensionContext);
    await sandbox.start({ quiet: true });
    const doubleClick = [sandbox.start(), sandbox.start()];
    assert.deepEqual(vscodeStub.progress, ["Starting local sandbox…"]);
    await Promise.all(doubleClick);

    started.kill("SIGTERM");
    await once(started, "exit");
    const asked: string[] = [];
    const restarted = new Promise<void>((resolve) => {
      session.refresh = async () => resolve();
    });
    vscodeStub.answer = ({ title, choices }) => {
      asked.push(title);
      return choices[0];
    };
    session.state = "offline";
    changed.fire();
    await restarted;
    assert.deepEqual(asked, ["The sandbox stopped."]);
    assert.deepEqual([secret.baseUrl, secret.key.reveal()], [baseUrl, api_key]);
    const keys = await client().listApiKeys();
    assert.ok(
      keys.some(({ id }) => id === made.id),
      "its data is there",
    );

    // Killed, and another program takes its port before the restart: the user decides, and nothing else is started.
    const port = Number(new URL(secret.baseUrl).port);
    const registered = JSON.parse(readFileSync(path.join(folder, "state", "sandbox.json"), "utf8")) as { pid: number };
    const other = createServer((_, response) => void response.writeHead(404).end());
    const answers = ["Restart", "Try Again", "Use Another Port"];
    asked.length = 0;
    const moved = new Promise<void>((resolve) => {
      session.refresh = async () => resolve();
    });
    vscodeStub.answer = ({ title, choices }) => {
      asked.push(title);
      const next = answers.shift();
      return choices.find((each) => each === next);
    };
    process.kill(registered.pid, "SIGKILL");
    await until(() => !isRunning(registered.pid));
    await once(other.listen(port, "127.0.0.1"), "listening");
    await moved;
    other.close();
    assert.deepEqual(
      asked.map((each) => each.slice(0, 34)),
      ["The sandbox stopped.", `Another program uses port ${port} of`, `Another program uses port ${port} of`].map(
        (each) => each.slice(0, 34),
      ),
    );
    assert.notEqual(new URL(secret.baseUrl).port, String(port));
    assert.equal(secret.key.reveal(), api_key);
    assert.ok(
      (await client().listApiKeys()).some(({ id }) => id === made.id),
      "its data is there",
    );

    // The command restarts a sandbox that was killed, too, while the notification waits for an answer.
    const address = secret.baseUrl;
    const { pid } = JSON.parse(readFileSync(path.join(folder, "state", "sandbox.json"), "utf8")) as { pid: number };
    vscodeStub.answer = ({ title }) => void asked.push(title);
    asked.length = 0;
    process.kill(pid, "SIGKILL");
    await until(() => !isRunning(pid));
    await sandbox.restart();
    assert.deepEqual(
      asked.filter((each) => each !== "The sandbox stopped."),
      [],
    );
    assert.equal(secret.baseUrl, address);
    assert.ok(
      (await client().listApiKeys()).some(({ id }) => id === made.id),
      "its data is there",
    );
  } finally {
    sandbox?.dispose();
    theirs?.kill("SIGKILL");
    process.env = env;
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a sandbox asks before it ends if its data is in memory; otherwise it reports that the data is kept", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-stop-"));
  const env = { ...process.env };
  process.env.ASSISTANT_FLOW_STATE_DIR = folder;
  const address = "http://127.0.0.1:4010";
  const removed: string[] = [];
  const session = {
    onDidChange: new EventEmitter<void>().event,
    connection: { id: temporaryId(SANDBOX), baseUrl: address },
    store: { isActive: () => false, remove: async (id: string) => void removed.push(id) },
  };
  const sandbox = new LocalSandbox({} as unknown as ExtensionContext, session as unknown as Session);
  const stop = async (data: object, answer?: string) => {
    const running = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
    const registered = { pid: running.pid, base_url: address, workflow_base_url: address, api_key: "key", ...data };
    writeFileSync(path.join(folder, "sandbox.json"), JSON.stringify(registered), { mode: 0o600 });
    const asked: string[] = [];
    vscodeStub.answer = ({ title }) => {
      asked.push(title);
      return answer;
    };
    try {
      await sandbox.stop();
      return { asked, isRunning: running.exitCode === null && running.signalCode === null };
    } finally {
      running.kill("SIGKILL");
    }
  };
  try {
    const inMemory = await stop({});
    assert.deepEqual(inMemory, { asked: ["Stop the local sandbox?"], isRunning: true });
    assert.deepEqual(removed, []);
    assert.deepEqual(await stop({}, "Stop"), { asked: ["Stop the local sandbox?"], isRunning: false });
    assert.equal(removed.length, 1);
    const { asked, isRunning: still } = await stop({ data_dir: folder });
    assert.equal(still, false);
    assert.match(asked.join(), /^The local sandbox was stopped\. Its data is kept for the next start\./);
  } finally {
    sandbox.dispose();
    process.env = env;
    rmSync(folder, { recursive: true, force: true });
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // There is no such process.
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
