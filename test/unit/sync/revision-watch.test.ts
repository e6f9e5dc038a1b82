/** Waiting for the compile of an open file, with a clock and a platform made of values. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { openState } from "../../../files";
import { PlatformError, type WorkflowRevision } from "../../../platform";
import { RevisionWatch } from "../../../server/sync/revision-watch";
import { type Clock, lastRevision, RevisionKeeper, type RevisionRecord } from "../../../sync";

const folder = mkdtempSync(path.join(tmpdir(), "aflow-revision-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const identity = { connection: "https://a.example", assistant: "a", revision: "r" };
const revision = (compilation_status: string, graph_version: number, more: Partial<WorkflowRevision> = {}) =>
  ({ compilation_status, graph_version, ...more }) as WorkflowRevision;
const answer = (status: string, version: number) => ({
  graph_version: version,
  revision: revision(status, version),
});

/** A clock whose sleeps end when the test says so. */
class StepClock implements Clock {
  #now = 0;
  #sleeping: { readonly ms: number; readonly wake: () => void } | undefined;
  now(): number {
    return this.#now;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      this.#sleeping = { ms, wake };
      signal?.addEventListener("abort", () => wake());
    });
  }
  get isWaiting(): boolean {
    return this.#sleeping !== undefined;
  }
  async step(): Promise<void> {
    const sleeping = this.#sleeping;
    this.#sleeping = undefined;
    this.#now += sleeping?.ms ?? 0;
    sleeping?.wake();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
}

function watched(read: () => WorkflowRevision | PlatformError) {
  // A folder for each watch: the others may still be writing.
  const state = openState(mkdtempSync(path.join(folder, "state-")));
  const clock = new StepClock();
  const seen: RevisionRecord[] = [];
  const at = { requests: 0, isOpen: true, clock, seen, shown: () => seen.at(-1)?.compile };
  const watch = new RevisionWatch(identity, {
    state,
    clock,
    client: {
      getWorkflowRevision: async () => {
        at.requests++;
        const answer = read();
        if (answer instanceof PlatformError) throw answer;
        return answer;
      },
    },
    isOpen: () => at.isOpen,
    changed: (record) => seen.push(record),
    failed: (error) => {
      throw error;
    },
  });
  return { ...at, at, watch, state };
}

test("a push whose compile fails later shows its errors, and keeps them for others", async () => {
  let now = revision("running", 2);
  const { watch, at, clock } = watched(() => now);
  watch.answered(answer("pending", 2));
  assert.equal(at.shown()?.state, "running");
  await clock.step();
  now = revision("failed", 2, { compilation_errors: ['Node "a" is broken.'] });
  await clock.step();
  assert.deepEqual(at.shown()?.errors, ['Node "a" is broken.']);
  await clock.step();
  assert.equal(at.requests, 2, "nothing is read after the end");
});

test("a compile that never ends takes at most 25 requests", async () => {
  const { watch, at, clock } = watched(() => revision("running", 2));
  watch.answered(answer("pending", 2));
  for (let step = 0; step < 60; step++) await clock.step();
  assert.ok(at.requests >= 20 && at.requests <= 25, `${at.requests} requests`);
});

test("a newer push cancels the wait, and its messages replace the older ones", async () => {
  let now = revision("failed", 2, { compilation_errors: ["x"] });
  const { watch, at, clock } = watched(() => now);
  watch.answered(answer("pending", 2));
  await clock.step();
  assert.equal(at.shown()?.state, "failed");
  watch.answered(answer("pending", 3));
  assert.deepEqual([at.shown()?.state, at.shown()?.errors, at.shown()?.version], ["running", [], 3]);
  // A stale replica isn't the result of version 3.
  await clock.step();
  assert.deepEqual([at.shown()?.state, at.shown()?.version], ["running", 3]);
  now = revision("succeeded", 3);
  await clock.step();
  assert.deepEqual([at.shown()?.state, at.shown()?.version], ["succeeded", 3]);
});

test("nothing is read for a closed file, or once it is closed", async () => {
  const { watch, at, clock } = watched(() => revision("running", 2));
  watch.answered(answer("pending", 2));
  await clock.step();
  watch.stop();
  for (let step = 0; step < 5; step++) await clock.step();
  assert.equal(at.requests, 1);
  at.isOpen = false;
  watch.answered(answer("pending", 3));
  for (let step = 0; step < 5; step++) await clock.step();
  assert.equal(at.requests, 1);
});

test("in an untrusted workspace one request is rejected, and no other is made", async () => {
  const refused = new PlatformError("untrusted-workspace", "No.", { operation: "getWorkflowRevision" });
  const { watch, at, clock } = watched(() => refused);
  watch.answered(answer("pending", 2));
  for (let step = 0; step < 5; step++) await clock.step();
  assert.equal(at.requests, 1);
});

test("a result with the input hash of before the push counts once the platform keeps to it", async () => {
  for (const [status, hash, expected] of [
    ["succeeded", "h", "succeeded"],
    ["failed", "h", "failed"],
    ["succeeded", "i", "succeeded"],
  ] as const) {
    const { watch, at, clock } = watched(() => revision(status, 2, { compilation_input_hash: hash }));
    watch.read(revision("succeeded", 1, { compilation_input_hash: "h" }));
    watch.answered({ graph_version: 2, revision: revision("succeeded", 2, { compilation_input_hash: "h" }) });
    assert.deepEqual([at.shown()?.state, at.shown()?.isOutdated], ["unknown", true]);
    for (let step = 0; step < 5; step++) await clock.step();
    assert.deepEqual([at.shown()?.state, at.shown()?.version, at.requests], [expected, 2, hash === "h" ? 3 : 1]);
    watch.read(revision(status, 2, { compilation_input_hash: hash }));
    assert.equal(at.shown()?.state, expected, "it stays");
  }
  const { watch, at } = watched(() => revision("succeeded", 2));
  watch.read(revision("succeeded", 1, { compilation_input_hash: "h" }));
  watch.read(revision("succeeded", 2, { compilation_input_hash: "h" }));
  assert.equal(at.shown()?.state, "succeeded", "nothing was pushed from here");
});

test("a compile that another program started is waited for; an older one isn't", async () => {
  const { watch, at, clock } = watched(() => revision("succeeded", 4));
  watch.read(revision("succeeded", 4));
  assert.equal(clock.isWaiting, false);
  watch.read(revision("running", 5));
  assert.equal(clock.isWaiting, true);
  await clock.step();
  assert.equal(at.requests, 1);
});

test("the record contains tools but not their secrets", async () => {
  const { watch, state } = watched(() => revision("succeeded", 9));
  const tool = {
    id: "t",
    name: "Look up",
    active_revision: {
      configuration: {
        url: "https://secret-url.example",
        headers: [{ key: "h", value: "secret-header" }],
        query_params: [{ key: "q", value: "secret-query" }],
        body: { b: "secret-body" },
        variables: [{ name: "account", type: "str", required: true }],
      },
      input_defaults: { account: "secret-default" },
      transfer_target: { destination: "secret-destination", mode: "cold" },
    },
  };
  watch.answered({ graph_version: 9, revision: revision("succeeded", 9, { tools: [{ tool }] as never, name: "N" }) });
  while (!(await lastRevision(state, identity))) await new Promise((resolve) => setTimeout(resolve, 5));
  const kept = await lastRevision(state, { ...identity, connection: undefined });
  assert.equal(kept?.name, "N");
  assert.equal(kept?.tools?.tools[0]?.inputs?.[0]?.hasDefault, true);
  assert.doesNotMatch(JSON.stringify(kept), /secret/);
});

test("the record has nothing of a revision that can hold a secret", async () => {
  const secret = "s3cr3t";
  const { watch, state } = watched(() => revision("succeeded", 2));
  watch.read(
    revision("succeeded", 2, {
      name: "Billing",
      instructions: secret,
      trigger_type: "webhook",
      trigger_config: { url: secret },
      tool_input_defaults: { account: secret },
      quality_report: { note: secret },
      policy_ids: ["p", { secret }],
      analyzer_model_settings: { model: "m", config: { temperature: 0, key: secret } },
    } as Partial<WorkflowRevision>),
  );
  assert.deepEqual(watch.qualityReport, { note: secret });
  let kept: RevisionRecord | undefined;
  while (!kept) kept = await lastRevision(state, identity);
  assert.ok(!JSON.stringify(kept).includes(secret));
  assert.deepEqual(kept.details, {
    trigger_type: "webhook",
    analyzer_model_settings: { model: "m", temperature: 0 },
    policy_ids: ["p"],
    tool_input_defaults: ["account"],
  });
});

test("what another program has kept counts if it is newer, or says how the compile ended", async () => {
  const other = watched(() => revision("succeeded", 2));
  const { at, state } = other;
  const mine = new RevisionKeeper(state, identity);
  const keep = async (status: string, version: number) => {
    mine.answered({ revision: revision(status, version), graph_version: version });
    await mine.saved();
    await other.watch.load();
    return [at.shown()?.state, at.shown()?.version];
  };
  other.watch.answered(answer("pending", 2));
  assert.deepEqual(await keep("running", 1), ["running", 2]);
  assert.deepEqual(await keep("failed", 2), ["failed", 2]);
  assert.deepEqual(await keep("running", 2), ["failed", 2]);
  assert.deepEqual(await keep("pending", 3), ["running", 3]);
});
