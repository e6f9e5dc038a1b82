/** The lock with a heartbeat: concurrent operations don't interfere. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openState } from "../../../files";
import type { Identity } from "../../../sync/environment";
import { Journal } from "../../../sync/journal/journal";
import { Lock } from "../../../sync/journal/lock";
import { systemClock } from "../../../sync/system-environment";
import type { StateStore } from "../../../system";

const NAME = "flow.lock";

async function inFolder(work: (storage: StateStore, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-lock-"));
  try {
    await work(openState(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lockOf(storage: StateStore, token: string): Lock {
  return new Lock({ storage, clock: systemClock, isGone: () => false }, NAME, {
    label: token,
    process: "here:1",
    token,
  });
}

test("a heartbeat and an attempt that renew at once both succeed", () =>
  inFolder(async (storage) => {
    const lock = lockOf(storage, "a");
    await lock.take();
    for (let i = 0; i < 50; i++)
      assert.deepEqual(await Promise.all([lock.renew(), lock.renew(), lock.renew()]), [true, true, true]);
  }));

test("a lock that is released while it is renewed is free, and leaves no files", () =>
  inFolder(async (storage, folder) => {
    for (let i = 0; i < 50; i++) {
      const lock = lockOf(storage, `a${i}`);
      assert.equal(await lock.take(), undefined);
      await Promise.all([lock.renew(), lock.release()]);
      assert.deepEqual(readdirSync(folder), []);
    }
  }));

test("a caller gets the lock only from a holder that releases it; no files are left", () =>
  inFolder(async (storage, folder) => {
    const [holder, asker] = [lockOf(storage, "holder"), lockOf(storage, "asker")];
    await holder.take();
    assert.equal(await holder.handOver(), false, "nobody asks");
    const { signal } = new AbortController();
    const asked = asker.takeOver(signal);
    let isGiven = false;
    while (!isGiven) isGiven = await holder.handOver();
    assert.equal(await asked, undefined);
    assert.deepEqual([holder.held, asker.held], [false, true]);
    assert.equal(await holder.renew(), false);
    assert.equal((await holder.take())?.label, "asker");
    assert.equal(await asker.renew(), true);
    await asker.release();
    assert.deepEqual(readdirSync(folder), []);
  }));

test("a caller that stopped waiting doesn't get the lock", () =>
  inFolder(async (storage, folder) => {
    const holder = lockOf(storage, "holder");
    await holder.take();
    const stopped = new AbortController();
    stopped.abort();
    assert.equal((await lockOf(storage, "asker").takeOver(stopped.signal))?.label, "holder");
    assert.equal(await holder.handOver(), false);
    // A requester whose process ended, and invalid requests.
    const old = { label: "x", process: "here:1", token: "t", renewed: Date.now() - 86_400_000 };
    for (const text of [JSON.stringify(old), "torn {"]) {
      await storage.write(`${NAME}.asked`, text);
      assert.equal(await holder.handOver(), false);
      assert.equal(await holder.renew(), true);
    }
    await holder.release();
    await storage.remove(`${NAME}.asked`);
    assert.deepEqual(readdirSync(folder), []);
  }));

test("two changes of a journal at once are both on disk", () =>
  inFolder(async (storage) => {
    const identity: Identity = { connection: "http://127.0.0.1:1", assistant: "a", revision: "r" };
    const { journal } = await Journal.open(storage, identity, systemClock);
    for (let i = 0; i < 20; i++) {
      await Promise.all([journal.update({ lateUntil: i }), journal.update({ wanted: `w${i}` })]);
      const { record } = (await Journal.open(storage, identity, systemClock)).journal;
      assert.deepEqual([record.lateUntil, record.wanted], [i, `w${i}`]);
    }
  }));

test("a lock from the future, or an invalid one, has no owner", () =>
  inFolder(async (storage) => {
    const future = JSON.stringify({ label: "x", process: "here:1", token: "t", renewed: Date.now() + 86_400_000 });
    for (const text of [future, "7", "[]", "null", "{}", '{"label": 1}', "torn {"]) {
      await storage.create(NAME, text);
      const lock = lockOf(storage, "mine");
      assert.equal(await lock.take(), undefined, text);
      await lock.release();
    }
  }));

test("a journal with a valid digest and an invalid shape is set aside", () =>
  inFolder(async (storage) => {
    const identity: Identity = { connection: "c", assistant: "a", revision: "r" };
    const head = { format: 3, identity };
    const graph = { nodes: [], edges: [], context_variables: [], component_outputs: [] };
    for (const body of [
      "null",
      "7",
      "[]",
      { ...head, base: {} },
      { ...head, base: { version: 1, graph: { nodes: 3 } } },
      { ...head, base: { version: "1", graph } },
      { ...head, base: { version: 1, graph, pairs: [{ of: "order", id: "a", wrote: {}, stores: {} }] } },
      { ...head, inFlight: { ops: 5, baseVersion: 1 } },
      { ...head, inFlight: { ops: [null], baseVersion: 1 } },
      { ...head, risks: {} },
      { ...head, wanted: 5 },
    ]) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const first = await Journal.open(storage, identity, systemClock);
      const sum = createHash("sha256").update(text).digest("hex");
      await storage.remove(first.journal.name);
      await storage.create(first.journal.name, `${sum}\n${text}\n`);
      const { journal, setAside } = await Journal.open(storage, identity, systemClock);
      assert.match(setAside ?? "", /damaged/, text);
      assert.deepEqual(journal.record, {}, text);
      await storage.remove(setAside as string);
    }
  }));
