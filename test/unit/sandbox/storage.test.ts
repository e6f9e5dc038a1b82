/** The data directory: state survives, a damaged file is set aside and reported, and only one process may use it. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { DirectoryInUse, startSandbox } from "../../../sandbox";
import { lockDirectory } from "../../../sandbox/storage/lock";
import { Store } from "../../../sandbox/storage/store";
import { bundleCli, startProcess } from "../../support/sandbox-process";

let directory: string;
let reports: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-store-"));
  reports = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

let time = 1000;
const open = () =>
  Store.open({
    directory,
    now: () => time++,
    report: (message) => reports.push(message),
  });
const put = (store: Store, type: string) => store.commit([{ put: "events", id: type, value: { type } }]);
const types = (store: Store) => [...store.all("events")].map((event) => event.type);
const files = () => readdirSync(directory).sort();

async function written(...names: string[]): Promise<void> {
  const store = await open();
  for (const name of names) put(store, name);
  await store.durable();
  await store.close();
}

test("commits survive every reopening", async () => {
  for (const name of ["a", "b", "c", "d"]) await written(name);
  const store = await open();
  assert.deepEqual(types(store), ["a", "b", "c", "d"]);
  await store.close();
  assert.deepEqual(reports, []);
  assert.deepEqual(files(), ["state.json"]);
});

test("a copy at any moment contains all durable commits", async () => {
  const store = await Store.open({ directory, now: () => time++, report: () => {} });
  const copies: { folder: string; safe: number }[] = [];
  let safe = 0;
  for (let i = 0; i < 400; i++) {
    put(store, `n${i}`);
    void store.durable().then(() => {
      safe = Math.max(safe, i + 1);
    });
    if (i % 40 === 39) await store.durable();
    else if (i % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (i % 16 === 0) {
      const folder = mkdtempSync(join(tmpdir(), "sandbox-copy-"));
      // A temporary file may be renamed while it is copied.
      cpSync(directory, folder, { recursive: true, filter: (file) => !file.endsWith(".tmp") });
      copies.push({ folder, safe });
    }
  }
  await store.durable();
  const expected = types(store);
  await store.close();
  for (const { folder, safe } of copies) {
    const copy = await Store.open({ directory: folder, now: () => time++, report: (message) => reports.push(message) });
    const found = types(copy);
    assert.deepEqual(found, expected.slice(0, found.length));
    assert.ok(found.length >= safe, `${found.length} of ${safe} safe commits`);
    await copy.close();
    rmSync(folder, { recursive: true, force: true });
  }
  assert.deepEqual(reports, []);
});

test("an incomplete write is removed, and earlier ones stay", async () => {
  await written("a", "b");
  writeFileSync(join(directory, `.assistant-flow-${"0".repeat(24)}.tmp`), '{"lastCommit":3,"tab');
  const store = await open();
  assert.deepEqual(types(store), ["a", "b"]);
  await store.close();
  assert.deepEqual(files(), ["state.json"]);
});

test("a damaged file, cut at any byte or without the state, is set aside and reported, and never an error", async () => {
  await written("a", "b", "c");
  const file = join(directory, "state.json");
  const whole = readFileSync(file);
  const cuts: (string | Uint8Array)[] = ["null", "{}", '{"tables":{"events":[["a",{"type":"a"}]]},"graphs":1}'];
  for (let length = 0; length < whole.length - 1; length += 37) cuts.push(whole.subarray(0, length));
  for (const [index, content] of cuts.entries()) {
    writeFileSync(file, content);
    const store = await open();
    assert.deepEqual(types(store), []);
    put(store, "d");
    await store.durable();
    await store.close();
    const aside = index === 0 ? "damaged-state.json" : `damaged-${index + 1}-state.json`;
    assert.deepEqual(readFileSync(join(directory, aside)), Buffer.from(content));
    assert.match(reports.at(-1) ?? "", new RegExp(`state.json is damaged and was set aside as ${aside}`));
    const again = await open();
    assert.deepEqual(types(again), ["d"]);
    await again.close();
  }
});

test("one sandbox at a time may use a directory; a stale lock is ignored", async () => {
  const first = await startSandbox({ dataDir: directory });
  await assert.rejects(startSandbox({ dataDir: directory }), DirectoryInUse);
  await first.stop();
  writeFileSync(join(directory, "lock"), "1 left-behind-by-a-killed-process\n");
  const second = await startSandbox({ dataDir: directory });
  await second.stop();
  writeFileSync(join(directory, "lock"), "");
  const unlock = await lockDirectory(directory);
  await unlock();
  assert.ok(!files().includes("lock"));
});

test("keys are stored as salted hashes only, and an older key still works after a restart", async () => {
  const first = await startSandbox({ dataDir: directory, demo: true });
  await first.stop();
  for (const name of files())
    assert.ok(!readFileSync(join(directory, name), "utf8").includes(first.apiKey), `${name} holds the key`);
  const second = await startSandbox({ dataDir: directory, demo: true });
  assert.notEqual(second.apiKey, first.apiKey);
  assert.deepEqual(second.demo, first.demo);
  for (const key of [first.apiKey, second.apiKey]) {
    const response = await fetch(`${second.workflowBaseUrl}/workflows`, { headers: { "x-api-key": key } });
    assert.equal(response.status, 200);
  }
  await second.stop();
});

test("a start with a valid key of its directory creates no new one", async () => {
  const keysOf = async (options: { apiKey?: string }) => {
    const sandbox = await startSandbox({ dataDir: directory, ...options });
    const headers = { "x-api-key": sandbox.apiKey };
    const answer = await fetch(`${sandbox.baseUrl}/v1/identity/api-keys`, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return { sandbox, headers, data };
  };
  const first = await keysOf({});
  await first.sandbox.stop();
  const again = await keysOf({ apiKey: first.sandbox.apiKey });
  assert.equal(again.sandbox.apiKey, first.sandbox.apiKey);
  assert.equal(again.data.length, 1);
  const url = `${again.sandbox.baseUrl}/v1/identity/api-keys`;
  const narrow = await fetch(url, {
    method: "POST",
    headers: { ...again.headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "narrow", scopes: ["agents:read"] }),
  });
  const { plain_text_key: narrowKey } = (await narrow.json()) as { plain_text_key: string };
  await fetch(`${url}/${first.data[0]?.id}`, { method: "DELETE", headers: again.headers });
  await again.sandbox.stop();
  // A key that is revoked, has fewer permissions, or belongs elsewhere isn't reused: a new one is created.
  for (const apiKey of [first.sandbox.apiKey, narrowKey, "sk_of_another_platform", ""]) {
    const { sandbox, data } = await keysOf({ apiKey });
    assert.notEqual(sandbox.apiKey, apiKey);
    assert.ok(data.length >= 2);
    await sandbox.stop();
  }
});

test("a full disk: unwritten changes aren't acknowledged, and acknowledged ones survive", async () => {
  const cli = await bundleCli();
  // The shell limits the size of files, so a write fails like on a full disk.
  const limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 24; exec "$0" "$@"'];
  let sandbox = await startProcess(cli.path, ["--data-dir", directory], limited);
  try {
    const ask = (method: string, name?: string) =>
      fetch(`${sandbox.baseUrl}/v1/identity/api-keys`, {
        method,
        headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
        ...(name ? { body: JSON.stringify({ name }) } : {}),
      });
    const kept: string[] = [];
    let refusal: Response | undefined;
    for (let i = 0; i < 500 && !refusal; i++) {
      const answer = await ask("POST", `key ${i}`);
      if (answer.status === 201) kept.push(((await answer.json()) as { id: string }).id);
      else refusal = answer;
    }
    assert.equal(refusal?.status, 503);
    const said = (await refusal?.json()) as { error: string; message: string; retryable: boolean };
    assert.equal(said.error, "storage_unavailable");
    assert.equal(said.retryable, false);
    assert.match(said.message, /Free up disk space and restart it/);
    assert.equal((await ask("GET")).status, 503, "what nobody could keep is shown");
    assert.match(sandbox.errors(), /Can't write to the data directory: .*EFBIG/);
    assert.ok(kept.length > 5);
    await sandbox.end("SIGTERM");
    sandbox = await startProcess(cli.path, ["--data-dir", directory]);
    const { data } = (await (await ask("GET")).json()) as { data: { id: string }[] };
    const found = new Set(data.map((key) => key.id));
    assert.deepEqual(
      kept.filter((id) => !found.has(id)),
      [],
    );
  } finally {
    await sandbox.end("SIGKILL");
    cli.remove();
  }
});
