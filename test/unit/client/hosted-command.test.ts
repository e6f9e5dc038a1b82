/** Commands that VS Code runs: they get no key, and requests go only to stored connections, each with its own key. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Session } from "../../../client/connections/session";
import { ConnectionStore } from "../../../client/connections/store";
import { runHosted } from "../../../client/environments/hosted-command";
import { UsedUrls } from "../../../client/environments/keys";
import { Secret } from "../../../platform";
import { vscodeStub } from "../../support/vscode";

const folder = mkdtempSync(path.join(tmpdir(), "aflow-hosted-"));
const servers: { server: Server; url: string; keys: string[] }[] = [];
before(async () => {
  for (let count = 0; count < 2; count++) {
    const keys: string[] = [];
    const server = createServer((request, response) => {
      keys.push(String(request.headers["x-api-key"]));
      response.end('{"answer":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push({ server, keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  }
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const { server } of servers) await new Promise((resolve) => server.close(resolve));
});

/** A program that sends one message after another and prints the answers as JSON. */
function program(...questions: object[]): string {
  const file = path.join(folder, "program.cjs");
  writeFileSync(
    file,
    `const questions = ${JSON.stringify(questions)}, answers = [];
     process.on("message", ({ answer }) => { answers.push(answer); next(); });
     function next() {
       if (answers.length < questions.length) return process.send({ id: answers.length, question: questions[answers.length] });
       const keys = Object.keys(process.env).filter((name) => /^ASSISTANT_FLOW_.*(KEY|URL|HOSTED)/.test(name));
       process.stdout.write(JSON.stringify({ keys, answers }), () => process.disconnect());
     }
     next();`,
  );
  return file;
}

async function sessionOf(...keys: readonly string[]): Promise<Session> {
  vscodeStub.trusted = true;
  const values = () => {
    const all = new Map<string, unknown>();
    return {
      get: <T>(key: string) => all.get(key) as T | undefined,
      update: async (key: string, value: unknown) => void all.set(key, value),
    };
  };
  const secrets = new Map<string, string>();
  const store = new ConnectionStore(values(), values(), {
    get: async (key) => secrets.get(key),
    store: async (key, value) => void secrets.set(key, value),
    delete: async (key) => void secrets.delete(key),
  });
  for (const [index, key] of keys.entries()) {
    const baseUrl = servers[index]?.url ?? "";
    await store.add(`Connection ${index}`, { baseUrl, workflowBaseUrl: baseUrl, key: new Secret(key) });
  }
  const session = new Session(store);
  await session.refresh();
  return session;
}

const read = (address: string) => ({
  kind: "send",
  address,
  request: { family: "platform", method: "GET", path: "/v1/anything" },
});

test("requests go to the connection with the URL, with its own key; other URLs get nothing", async () => {
  const [one, two] = servers as [(typeof servers)[number], (typeof servers)[number]];
  process.env.ASSISTANT_FLOW_API_KEY_STAGING = "of-the-shell";
  process.env.ASSISTANT_FLOW_API_KEY = "of-the-shell";
  const session = await sessionOf("key-one");
  // The same URL, spelled differently; then one without a connection.
  const { code, out, err } = await runHosted(program(read(`${one.url}/`), read(two.url)), [], folder, session);
  delete process.env.ASSISTANT_FLOW_API_KEY_STAGING;
  delete process.env.ASSISTANT_FLOW_API_KEY;
  assert.equal(code, 0, err);
  const { keys, answers } = JSON.parse(out);
  assert.deepEqual(keys, ["ASSISTANT_FLOW_HOSTED"]);
  assert.equal(answers[0].response.status, 200);
  assert.equal(answers[1].failure, "no-connection");
  assert.deepEqual([one.keys, two.keys], [["key-one"], []]);
  session.dispose();
});

test("a promotion is confirmed with the plan that was made, and a missing answer is a no", async () => {
  const session = await sessionOf("key-one");
  const asked: unknown[] = [];
  const file = program({ kind: "confirm", text: "the plan", operations: 3 });
  const { out } = await runHosted(file, [], folder, session, {
    confirm: async (text, operations) => {
      asked.push([text, operations]);
      return true;
    },
  });
  assert.deepEqual(asked, [["the plan", 3]]);
  assert.deepEqual(JSON.parse(out).answers, [true]);
  assert.deepEqual(JSON.parse((await runHosted(file, [], folder, session)).out).answers, [false]);
  session.dispose();
});

test("a command that is cancelled ends, also while it waits for an answer", async () => {
  const session = await sessionOf("key-one");
  const abort = new AbortController();
  const file = program({ kind: "confirm", text: "the plan", operations: 3 });
  const result = await runHosted(file, [], folder, session, {
    signal: abort.signal,
    confirm: () => {
      abort.abort();
      return new Promise<never>(() => {});
    },
  });
  assert.deepEqual([result.code, result.out], [1, ""]);
  session.dispose();
});

test("environments may have the names of an object's own properties", () => {
  const memory = new Map<string, unknown>();
  let changed = () => {};
  const environments = ["constructor", "toString"].map((name) => ({
    name,
    url: `https://${name}.example`,
    isProtected: false,
  }));
  let current = "";
  const urls = new UsedUrls(
    {
      get: (key: string) => memory.get(key),
      update: async (key: string, value: unknown) => void memory.set(key, JSON.parse(JSON.stringify(value))),
    } as never,
    {
      onDidChange: (listener: () => void) => {
        changed = listener;
        return { dispose: () => undefined };
      },
      get: () => ({ kind: "synced", environment: current, environments }),
    } as never,
  );
  for (const { name, url } of environments) {
    assert.equal(urls.of(name), undefined);
    current = name;
    changed();
    assert.equal(urls.of(name), url);
  }
  urls.dispose();
});
