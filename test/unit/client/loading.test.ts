import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import { Loader } from "../../../client/views/loader";
import { type Outcome, Poller } from "../../../client/views/poller";

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

test("concurrent loads are shared; a failure keeps the previous value", async () => {
  const answers = [deferred<string>(), deferred<string>()];
  let asked = 0;
  let changes = 0;
  const loader = new Loader<string>(
    () => (answers[asked++] as ReturnType<typeof deferred<string>>).promise,
    () => changes++,
  );
  const [first, second] = [loader.load(), loader.load()];
  answers[0]?.resolve("one");
  await Promise.all([first, second]);
  assert.deepEqual([asked, loader.value, changes], [1, "one", 1]);
  const third = loader.load();
  answers[1]?.reject(new Error("no"));
  await third;
  assert.deepEqual([loader.value, (loader.problem as Error).message], ["one", "no"]);
});

test("the same value isn't a change, except after a failure", async () => {
  const answers = [{ rows: [1] }, { rows: [1] }, undefined, { rows: [1] }, { rows: [2] }];
  const changes: number[] = [];
  let asked = 0;
  const loader = new Loader<{ rows: number[] }>(
    async () => answers[asked++] ?? Promise.reject(new Error("no")),
    () => changes.push(asked),
  );
  for (const _ of answers) await loader.load();
  assert.deepEqual(changes, [1, 3, 4, 5]);
  assert.deepEqual(loader.value, { rows: [2] });
});

test("a value that is set replaces an earlier error", async () => {
  const loader = new Loader<string>(
    () => Promise.reject(new Error("no")),
    () => undefined,
  );
  await loader.load();
  loader.set("known");
  assert.deepEqual([loader.value, loader.problem], ["known", undefined]);
});

test("a cancelled load is aborted and its late response ignored", async () => {
  const late = deferred<string>();
  let signal: AbortSignal | undefined;
  const loader = new Loader<string>(
    (given) => {
      signal ??= given;
      return signal === given ? late.promise : Promise.resolve("new");
    },
    () => undefined,
  );
  const first = loader.load();
  await Promise.resolve();
  loader.cancel();
  assert.equal(signal?.aborted, true);
  await loader.load();
  late.resolve("old");
  await first;
  assert.equal(loader.value, "new");
  loader.reset();
  assert.equal(loader.value, undefined);
});

test("parts are shown while the rest loads", async () => {
  const seen: (string | undefined)[] = [];
  const loader: Loader<string> = new Loader<string>(
    async (_signal, partial) => {
      partial("a");
      return "ab";
    },
    () => seen.push(loader.value),
  );
  await loader.load();
  assert.deepEqual(seen, ["a", "ab"]);
});

test("polling stops while hidden, slows without changes, and speeds up after an action", async (t) => {
  const outcomes: Outcome[] = ["same", "same", "failed", "changed"];
  const waits: number[] = [];
  let next: (() => void) | undefined;
  let asked = 0;
  t.mock.method(globalThis, "setTimeout", (run: () => void, ms: number) => {
    waits.push(ms);
    next = run;
  });
  t.mock.method(globalThis, "clearTimeout", () => {
    next = undefined;
  });
  const poller = new Poller(async () => outcomes[asked++] ?? "same", { firstMs: 100, longestMs: 400 });
  const turn = async () => {
    const run = next;
    next = undefined;
    run?.();
    await new Promise(setImmediate);
  };
  assert.equal(next, undefined);
  poller.show(true);
  for (let round = 0; round < 4; round++) await turn();
  assert.deepEqual(waits, [100, 150, 225, 400, 100]);
  poller.show(false);
  await turn();
  assert.equal(asked, 4, "nothing is asked while hidden");
  poller.show(true);
  await turn();
  poller.hurry();
  assert.equal(waits.at(-1), 100);
  poller.dispose();
});

test("a view that is shown again refreshes soon, however slow polling had become", async (t) => {
  const waits: number[] = [];
  let next: (() => void) | undefined;
  t.mock.method(globalThis, "setTimeout", (run: () => void, ms: number) => {
    waits.push(ms);
    next = run;
  });
  const poller = new Poller(async () => "same", { firstMs: 15_000, longestMs: 120_000 });
  poller.show(true);
  for (let round = 0; round < 6; round++) {
    next?.();
    await new Promise(setImmediate);
  }
  assert.equal(waits.at(-1), 120_000);
  poller.show(false);
  poller.show(true);
  assert.equal(waits.at(-1), 1000);
  next?.();
  await new Promise(setImmediate);
  assert.equal(waits.at(-1), 22_500, "and then from the start");
  poller.dispose();
});
