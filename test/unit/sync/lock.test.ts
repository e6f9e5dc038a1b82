/** The lock under a heartbeat: what happens at the same time must not tread on each other. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Journal } from "../../../sync/journal";
import { Lock } from "../../../sync/lock";
import { FolderStorage, systemClock } from "../../../sync/node-world";
import type { Identity } from "../../../sync/world";

const NAME = "flow.lock";

async function inFolder(work: (storage: FolderStorage, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-lock-"));
  try {
    await work(new FolderStorage(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lockOf(storage: FolderStorage, token: string): Lock {
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

test("a lock that is released while it is renewed is free, and leaves nothing behind", () =>
  inFolder(async (storage, folder) => {
    for (let i = 0; i < 50; i++) {
      const lock = lockOf(storage, `a${i}`);
      assert.equal(await lock.take(), undefined);
      await Promise.all([lock.renew(), lock.release()]);
      assert.deepEqual(readdirSync(folder), []);
    }
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
