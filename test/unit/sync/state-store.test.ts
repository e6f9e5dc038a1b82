/** The state of sync on disk and in a browser: both stores do the same. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { IDBFactory, IDBObjectStore } from "fake-indexeddb";
import fc from "fast-check";
import { openState, reasonOf } from "../../../files";
import { Lock } from "../../../sync/journal/lock";
import { systemClock } from "../../../sync/system-environment";
import type { StateStore } from "../../../system";
import { BrowserState, type Databases } from "../../../system/browser/state-store";
import { cases } from "../../support/cases";
import { WebLocks } from "../../support/web-locks";

const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-state-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const onDisk = () => openState(mkdtempSync(path.join(folder, "state-")));
const databases = () => new IDBFactory() as unknown as Databases;
const inBrowser = () => new BrowserState(databases(), new WebLocks().tab());

const name = fc.constantFrom("a.journal", "b.journal", "a.findings");
const text = fc.oneof(fc.constant("x"), fc.string({ unit: "grapheme", maxLength: 20 }));
type Step = (store: StateStore) => Promise<unknown>;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ name, text }).map((by) => (store: StateStore) => store.write(by.name, by.text)),
  fc.record({ name, text }).map((by) => (store: StateStore) => store.replace(by.name, by.text)),
  fc.record({ name, text }).map((by) => (store: StateStore) => store.create(by.name, by.text)),
  fc
    .record({ from: name, to: name })
    .filter(({ from, to }) => from !== to)
    .map((by) => (store: StateStore) => store.rename(by.from, by.to)),
  name.map((each) => (store: StateStore) => store.remove(each)),
);

async function outcome(store: StateStore, act: Step): Promise<unknown> {
  try {
    return await act(store);
  } catch (error) {
    return reasonOf(error);
  }
}

test("any sequence of steps has the same results on disk and in a browser", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const [disk, browser] = [onDisk(), inBrowser()];
      for (const each of steps) assert.deepEqual(await outcome(browser, each), await outcome(disk, each));
      for (const ending of [".journal", ".findings", ""]) {
        const names = await disk.list(ending);
        assert.deepEqual((await browser.list(ending)).sort(), [...names].sort());
        for (const each of names) assert.equal(await browser.read(each), await disk.read(each));
      }
      assert.equal(await browser.read("none"), await disk.read("none"));
    }),
    { numRuns: cases(60) },
  ));

for (const [where, open] of [
  ["on disk", onDisk],
  ["in a browser", inBrowser],
] as const) {
  test(`of several processes, one creates a file ${where}`, async () => {
    const store = open();
    const created = await Promise.all(["a", "b", "c", "d"].map((each) => store.create("x.lock", each)));
    assert.deepEqual(created.filter(Boolean), [true]);
    assert.equal(await store.read("x.lock"), "abcd"[created.indexOf(true)]);
  });
}

test("files are listed by their time, the last changed first", async (context) => {
  const store = inBrowser();
  let now = 0;
  context.mock.method(Date, "now", () => now++);
  for (const each of ["b.findings", "a.findings", "b.journal", "b.findings"]) await store.replace(each, "{}");
  assert.deepEqual(await store.list(".findings"), ["b.findings", "a.findings"]);
});

test("all tabs see the same files, and a reload finds them", async () => {
  const site = databases();
  const [first, second] = [new WebLocks(), new WebLocks()].map((locks) => new BrowserState(site, locks.tab()));
  await first?.write("a.journal", "é");
  assert.equal(await second?.read("a.journal"), "é");
  await second?.replace("a.journal", "éx");
  assert.equal(await first?.read("a.journal"), "éx");
  assert.equal(await new BrowserState(site, new WebLocks().tab()).read("a.journal"), "éx");
});

test("a tab has ended as soon as the browser says so, and its lock is taken over at once", async () => {
  const [site, locks] = [databases(), new WebLocks()];
  const tabs = [locks.tab(), locks.tab()] as const;
  const [first, second] = tabs.map((tab) => new BrowserState(site, tab)) as [BrowserState, BrowserState];
  const lock = (storage: BrowserState) =>
    new Lock({ storage, clock: systemClock, isGone: (process) => storage.isGone(process) }, "flow.lock", {
      label: storage.process,
      process: storage.process,
      token: storage.process,
    });
  assert.equal(await lock(first).take(), undefined);
  assert.equal(await second.isGone(first.process), false);
  assert.equal((await lock(second).take())?.process, first.process);
  tabs[0].end();
  assert.equal(await second.isGone(first.process), true);
  assert.equal(await lock(second).take(), undefined);
});

test("a write that fails changes nothing, and says that the space is used up", async (context) => {
  const store = inBrowser();
  await store.write("a.journal", "old");
  await store.write("next", "new");
  context.mock.method(IDBObjectStore.prototype, "delete", () => {
    throw new DOMException("No more space.", "QuotaExceededError");
  });
  await assert.rejects(store.rename("next", "a.journal"), { code: "EDQUOT" });
  context.mock.restoreAll();
  assert.equal(await store.read("a.journal"), "old");
  assert.equal(await store.read("next"), "new");
});

test("a database that was closed is opened again; one that can't be opened is an error each time", async (context) => {
  const site = new IDBFactory();
  const store = new BrowserState(site as unknown as Databases, new WebLocks().tab());
  await store.write("a.journal", "old");
  // Clears the site's data, as another tab may do.
  await new Promise((resolve) => {
    site.deleteDatabase("assistant-flow").onsuccess = resolve;
  });
  assert.equal(await store.read("a.journal"), undefined);
  const fresh = new BrowserState(site as unknown as Databases, new WebLocks().tab());
  context.mock.method(site, "open", () => {
    throw new DOMException("Not in this mode.", "SecurityError");
  });
  await assert.rejects(fresh.read("a.journal"), { code: "EIO" });
  context.mock.restoreAll();
  assert.equal(await fresh.create("a.journal", "new"), true);
});
