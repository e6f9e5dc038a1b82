import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { secretFromEnvironment } from "../../../client/connections/environment";
import { type ConnectionSecret, ConnectionStore } from "../../../client/connections/store";
import { Secret } from "../../../platform";

function memory() {
  const values = new Map<string, unknown>();
  return {
    values,
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

function secretMemory() {
  const values = new Map<string, string>();
  return {
    values,
    get: async (key: string) => values.get(key),
    store: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
}

const secret = (key: string, host = "api.example.com"): ConnectionSecret => ({
  baseUrl: `https://${host}`,
  workflowBaseUrl: `https://calls.${host}`,
  key: new Secret(key),
});

function setUp() {
  const user = memory();
  const workspace = memory();
  const secrets = secretMemory();
  return { user, workspace, secrets, store: new ConnectionStore(user, workspace, secrets) };
}

test("a key is only in secret storage, with the addresses it was entered for", async () => {
  const { store, user, workspace, secrets } = setUp();
  const connection = await store.add("Staging", secret("key-one"));
  await store.activate(connection.id);
  assert.ok(!JSON.stringify([...user.values]).includes("key-one"));
  assert.ok(!JSON.stringify([...workspace.values]).includes("key-one"));
  assert.ok(
    [...secrets.values.values()].every((stored) => stored.includes("key-one") && stored.includes("api.example.com")),
  );
  assert.ok(!inspect(await store.secret(connection.id), { depth: 9 }).includes("key-one"));
});

test("changing an address in the stored state doesn't move the key", async () => {
  const { store, user } = setUp();
  const connection = await store.add("Staging", secret("key-one"));
  await user.update("connections", [{ ...connection, baseUrl: "https://evil.example" }]);
  assert.equal((await store.secret(connection.id))?.baseUrl, "https://api.example.com");
});

test("a new key is used at once, a signed-out connection has none, a removed one is deleted", async () => {
  const { store, secrets } = setUp();
  let changes = 0;
  store.onDidChange(() => changes++);
  const connection = await store.add("Staging", secret("key-one"));
  await store.change(connection.id, "Staging", secret("key-two"));
  assert.equal((await store.secret(connection.id))?.key.reveal(), "key-two");
  await store.signOut(connection.id);
  assert.equal(await store.secret(connection.id), undefined);
  assert.equal(store.list().length, 1);
  await store.remove(connection.id);
  assert.deepEqual([store.list().length, secrets.values.size, changes], [0, 0, 4]);
});

test("a damaged record counts as signed out and is not quoted", async () => {
  const { store, secrets } = setUp();
  const connection = await store.add("Staging", secret("key-one"));
  secrets.values.set(`connection:${connection.id}`, '{"key":"key-one"');
  assert.equal(await store.secret(connection.id), undefined);
});

test("a workspace can name a connection but not make one", async () => {
  const { store } = setUp();
  const one = await store.add("One", secret("a"));
  const two = await store.add("Two", secret("b"));
  assert.equal(store.active(undefined), undefined);
  assert.equal(store.active("Two")?.id, two.id);
  assert.equal(store.active("https://evil.example"), undefined);
  await store.activate(one.id);
  assert.equal(store.active("Two")?.id, one.id, "the choice in this workspace wins");
});

test("a temporary connection isn't stored", async () => {
  const { store, user, secrets } = setUp();
  const connection = store.addTemporary("Local sandbox", secret("sandbox-key", "127.0.0.1"));
  assert.equal(store.active(undefined)?.id, connection.id);
  assert.deepEqual([user.values.size, secrets.values.size], [0, 0]);
  await store.remove(connection.id);
  assert.equal(store.list().length, 0);
});

test("a temporary connection can be renamed and get a new key without being stored", async () => {
  const { store, user, secrets } = setUp();
  const { id } = store.addTemporary("Local sandbox", secret("old", "127.0.0.1"));
  let changes = 0;
  store.onDidChange(() => changes++);
  await store.change(id, "Mine", secret("new", "127.0.0.1"));
  assert.equal((await store.secret(id))?.key.reveal(), "new");
  assert.deepEqual([store.get(id)?.name, store.get(id)?.temporary, changes], ["Mine", true, 1]);
  assert.deepEqual([user.values.size, secrets.values.size], [0, 0]);
});

test("the environment can only define a connection to this computer", () => {
  const environment = (base: string, calling?: string) => ({
    ASSISTANT_FLOW_BASE_URL: base,
    ASSISTANT_FLOW_WORKFLOW_BASE_URL: calling,
    ASSISTANT_FLOW_API_KEY: "key-one",
  });
  assert.equal(secretFromEnvironment(environment("http://127.0.0.1:4010"))?.workflowBaseUrl, "http://127.0.0.1:4010");
  assert.equal(secretFromEnvironment(environment("https://evil.example")), undefined);
  assert.equal(secretFromEnvironment(environment("http://127.0.0.1:1", "https://evil.example")), undefined);
  assert.equal(secretFromEnvironment(environment("http://127.0.0.1@evil.example")), undefined);
  assert.equal(secretFromEnvironment({}), undefined);
});
