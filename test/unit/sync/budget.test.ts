/** The time and the requests of one attempt, with a simulated clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformError } from "../../../platform";
import { waitBeforeRetry } from "../../../platform/retry";
import type { Converter } from "../../../server/protocol/to-protocol";
import { stateView } from "../../../server/sync/state-view";
import {
  Allowance,
  Budget,
  NO_ANSWER_MS,
  REQUESTS_BEYOND_PLAN,
  SHOW_WAITING_AFTER_MS,
  Tries,
} from "../../../sync/limits";
import { pending, type SyncState } from "../../../sync/state";

class FakeClock {
  #now = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  now = () => this.#now;
  sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener("abort", () => resolve());
      this.#sleepers.push({ at: this.#now + ms, wake: resolve });
    });
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const { at, wake } of this.#sleepers) if (at <= this.#now) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const never = () => new Promise<string>(() => {});

test("a hanging platform is reported after a moment, and given up after one shared wait", async () => {
  const clock = new FakeClock();
  let waits = 0;
  const budget = new Budget({ clock }, new AbortController().signal, () => waits++);
  const hung = budget.ask(never, (message) => message);
  await clock.pass(SHOW_WAITING_AFTER_MS);
  assert.equal(waits, 1);
  await clock.pass(NO_ANSWER_MS - SHOW_WAITING_AFTER_MS);
  assert.match(await hung, /didn't answer within 30 seconds/);
  assert.match(await budget.ask(never, (message) => message), /didn't answer/, "nothing more is asked");
});

test("a request is cancelled when its time is up; progress extends it", async () => {
  const clock = new FakeClock();
  const budget = new Budget({ clock }, new AbortController().signal, () => {});
  const slow = budget.ask(
    () => clock.sleep(NO_ANSWER_MS - 1),
    () => undefined,
  );
  await clock.pass(NO_ANSWER_MS - 1);
  await slow;
  budget.progressed();
  let signal: AbortSignal | undefined;
  const asked = budget.ask(
    (given) => {
      signal = given;
      return never();
    },
    () => "over",
  );
  await clock.pass(NO_ANSWER_MS - 1);
  assert.equal(signal?.aborted, false);
  await clock.pass(1);
  assert.equal(await asked, "over");
  assert.equal(signal?.aborted, true);
});

test("time spent on a question doesn't count", async () => {
  const clock = new FakeClock();
  const budget = new Budget({ clock }, new AbortController().signal, () => {});
  const ask = () =>
    budget.ask(
      async () => "answered",
      (message) => message,
    );
  assert.equal(await ask(), "answered");
  await clock.pass(3_600_000);
  assert.equal(await ask(), "answered");
});

test("the requests of a save are counted across its attempts, except those that never reached the platform", async () => {
  const allowance = new Allowance();
  const reads = { made: 0, reached: true };
  const remote = {
    send: async () => ({ kind: "unknown" as const, message: "no", reached: reads.reached }),
    read: async () => {
      reads.made++;
      return { kind: "failed" as const, message: "no", reached: reads.reached };
    },
  };
  // Each attempt has a plan of two batches, which are allowed once.
  for (let attempt = 0; attempt < 20; attempt++) {
    allowance.allow(2);
    const limited = allowance.limit(remote);
    for (let i = 0; i < 5; i++) await limited.read();
  }
  assert.equal(reads.made, REQUESTS_BEYOND_PLAN + 2);
  assert.equal(allowance.isUsedUp, true);
  allowance.refill();
  reads.reached = false;
  for (let i = 0; i < 100; i++) await allowance.limit(remote).read();
  assert.equal(reads.made, REQUESTS_BEYOND_PLAN + 2 + 100);
});

test("recovered connections trigger at most three attempts a minute", async () => {
  const clock = new FakeClock();
  const tries = new Tries(clock);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => tries.take()),
    [true, true, true, false],
  );
  await clock.pass(60_000);
  assert.equal(tries.take(), true);
});

test("a wait longer than the caller's limit is left to the caller", () => {
  const error = new PlatformError("rate-limited", "Slow down.", { operation: "read", retryAfterMs: 86_400_000 });
  const policy = { attempts: 3, baseMs: 250, maxMs: 60_000 };
  assert.equal(
    waitBeforeRetry(error, 1, policy, () => 0),
    60_000,
  );
  assert.equal(
    waitBeforeRetry(error, 1, { ...policy, patienceMs: 5_000 }, () => 0),
    undefined,
  );
});

test("a message says that sync will retry only if it will", () => {
  const view = (state: SyncState) =>
    stateView({ state, risks: [] }, { uri: "file:///a.flow.yaml" } as Converter, [], { environments: [] }).message;
  assert.equal(view(pending("busy", "Busy.", undefined, 5_000)), "Busy. Sync will retry automatically.");
  assert.equal(view(pending("busy", "Too many requests.")), "Too many requests.");
  assert.equal(view(pending("declined", "Not pushed.")), "Not pushed.");
  assert.equal(view({ kind: "blocked", reason: "unreadable", message: "Odd." }), "Odd.");
  assert.equal(view({ kind: "unknown", message: "Unknown." }), "Unknown.");
});
