import "../../support/vscode";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { ExtensionContext } from "vscode";
import { registerConnectionCommands } from "../../../client/connections/commands";
import { Session } from "../../../client/connections/session";
import { ConnectionStore } from "../../../client/connections/store";
import { type PlatformError, Secret, type TransportError } from "../../../platform";
import { vscodeStub } from "../../support/vscode";

/** A platform that counts requests and has configurable responses by path. */
let server: Server;
let address = "";
const visits: { path: string; key: string }[] = [];
let status: (path: string) => number = () => 200;
before(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    visits.push({ path, key: String(request.headers["x-api-key"]) });
    response.writeHead(status(path), { "content-type": "application/json" });
    response.end(path.startsWith("/v1") ? '{"events":[]}' : '{"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => new Promise((resolve) => server.close(resolve)));

const storage = (values = new Map<string, unknown>()) => ({
  get: <T>(key: string) => values.get(key) as T | undefined,
  update: async (key: string, value: unknown) => void values.set(key, value),
});
const secrets = (values = new Map<string, string>()) => ({
  get: async (key: string) => values.get(key),
  store: async (key: string, value: string) => void values.set(key, value),
  delete: async (key: string) => void values.delete(key),
});

async function setUp() {
  visits.length = 0;
  status = () => 200;
  vscodeStub.trusted = true;
  vscodeStub.settings = {};
  const store = new ConnectionStore(storage(), storage(), secrets());
  const session = new Session(store);
  const secret = (key: string) => ({ baseUrl: address, workflowBaseUrl: address, key: new Secret(key) });
  const connection = await store.add("One", secret("key-one"));
  await new Promise(setImmediate);
  return { store, session, secret, connection };
}

const kindOf = (request: Promise<unknown>) =>
  request.then(
    () => "answered",
    (error: unknown) => (error as PlatformError).kind,
  );

test("an untrusted workspace makes no requests on any connection", async () => {
  const { session, connection } = await setUp();
  vscodeStub.trusted = false;
  assert.equal(session.state, "untrusted");
  assert.equal(session.canAsk, false);
  assert.equal(await kindOf(session.client.eventCatalog()), "untrusted-workspace");
  assert.equal(await kindOf(session.clientFor(connection.id).rejectReviewRequest("a")), "untrusted-workspace");
  assert.deepEqual(visits, []);
});

test("a new key is used by the next request, a signed-out connection makes none", async () => {
  const { session, store, secret, connection } = await setUp();
  await session.client.eventCatalog();
  const before = session.generation;
  await store.change(connection.id, "One", secret("key-two"));
  await session.client.eventCatalog();
  assert.deepEqual(
    visits.map(({ key }) => key),
    ["key-one", "key-two"],
  );
  assert.ok(session.generation > before, "views load anew");
  await store.signOut(connection.id);
  assert.equal(await kindOf(session.client.eventCatalog()), "no-connection");
  await new Promise(setImmediate);
  assert.equal(session.state, "signed-out");
  assert.equal(visits.length, 2);
});

test("the state is that of the worse address, and recovers with it", async () => {
  const { session } = await setUp();
  assert.equal(session.state, "unknown");
  status = (path) => (path.startsWith("/v1") ? 200 : 401);
  await session.client.eventCatalog();
  assert.equal(session.state, "connected");
  assert.equal(await kindOf(session.client.listWorkflows()), "unauthorized");
  await session.client.eventCatalog();
  assert.equal(session.state, "unauthorized", "the other address does not hide it");
  status = () => 200;
  await session.client.listWorkflows();
  assert.equal(session.state, "connected");
  assert.equal(vscodeStub.contexts.get("assistantFlow.session"), "connected");
});

test("workspace settings can only select a connection", async () => {
  const { session, store, secret } = await setUp();
  await store.add("Two", secret("key-two"));
  assert.equal(session.connection, undefined, "two connections, none chosen");
  for (const evil of ["https://evil.example", { baseUrl: "https://evil.example" }, ["Two"], 2]) {
    vscodeStub.settings = { connection: evil, baseUrl: "https://evil.example", base_url: "https://evil.example" };
    assert.equal(session.connection, undefined);
  }
  vscodeStub.settings = { connection: "Two" };
  await session.client.eventCatalog();
  assert.deepEqual(
    visits.map(({ key }) => key),
    ["key-two"],
  );
});

/** Answers every question of the guided input, and records the messages. */
function typing(answers: Readonly<Record<string, string>>): string[] {
  const said: string[] = [];
  vscodeStub.answer = ({ title, prompt }) => {
    if (!prompt) said.push(title);
    return prompt && (Object.entries(answers).find(([words]) => prompt.includes(words))?.[1] ?? "");
  };
  return said;
}

test("in an untrusted workspace a connection is added and changed without a request, with a note", async () => {
  const { session, store, connection } = await setUp();
  registerConnectionCommands({ subscriptions: [] } as unknown as ExtensionContext, session);
  const run = (command: string) => vscodeStub.commands.get(`assistantFlow.${command}`)?.();
  const answers = { "Connection name": "Two", base_url: address, workflow_base_url: address, "API key": "key-two" };
  for (const trusted of [false, true]) {
    vscodeStub.trusted = trusted;
    visits.length = 0;
    const said = typing({ ...answers, "Connection name": `Trusted ${trusted}` });
    await run("addConnection");
    assert.equal(store.byName(`Trusted ${trusted}`)?.baseUrl, address);
    assert.equal(visits.length, trusted ? 2 : 0);
    assert.match(said.join(), trusted ? /^Connected/ : /not tested.*isn.t trusted/);
  }
  vscodeStub.trusted = false;
  visits.length = 0;
  await store.activate(connection.id);
  const said = typing({ "API key": "key-three" });
  await run("enterKey");
  assert.equal((await store.secret(connection.id))?.key.reveal(), "key-three");
  assert.deepEqual([visits.length, said.length], [0, 1]);
});

test("a request for one address goes nowhere else, even before a switch is announced", async () => {
  const { session, store, secret, connection } = await setUp();
  const other = await store.add("Two", { ...secret("key-two"), baseUrl: `${address}/other` });
  await store.activate(connection.id);
  const request = { family: "platform", method: "POST", path: "/v1/x", body: {} } as const;
  assert.equal((await session.transportTo(address).send(request)).status, 200);
  await store.activate(other.id);
  await assert.rejects(session.transportTo(address).send(request), (error: TransportError) => {
    assert.equal(error.failure, "no-connection", "certain that nothing was sent");
    return true;
  });
  // The connection got another URL while its key was read.
  await store.activate(connection.id);
  const late = session.transportTo(address).send(request);
  await store.change(connection.id, "One", { ...secret("key-three"), baseUrl: `${address}/moved` });
  await late.catch((error: TransportError) => assert.equal(error.failure, "no-connection"));
  await assert.rejects(session.transportTo(address).send(request));
  assert.ok(
    visits.every(({ path, key }) => path === "/v1/x" && key === "key-one"),
    JSON.stringify(visits),
  );
});

test("without a connection to an environment, the message names its URL, not that there is no connection at all", async () => {
  const { session } = await setUp();
  const request = { family: "platform", method: "GET", path: "/v1/x" } as const;
  const reason = (address: string) =>
    session
      .transportToAny(address)
      .send(request)
      .then(String, (error: Error) => error.message);
  assert.match(
    await reason("https://elsewhere.example"),
    /^No connection to https:\/\/elsewhere\.example has an API key/,
  );
  const none = new Session(new ConnectionStore(storage(), storage(), secrets()));
  const message = await none
    .transportToAny(address)
    .send(request)
    .then(String, (error: Error) => error.message);
  assert.match(message, /^There is no connection yet/);
});
