/** Waiting for a compile, with a clock that doesn't wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompileResult, compileResult } from "../../../flow/compile";
import { type Clock, watchCompile } from "../../../sync";

class FakeClock implements Clock {
  #now = 0;
  now(): number {
    return this.#now;
  }
  async sleep(ms: number): Promise<void> {
    this.#now += ms;
  }
}

const result = (status: string, version = 2) => compileResult({ compilation_status: status, graph_version: version });
type Read = CompileResult | "failed" | "unavailable";

/** Runs a watch over these reads; the last one repeats. */
async function watched(
  reads: readonly Read[],
  { first = result("pending"), limitMs = undefined as number | undefined } = {},
) {
  const clock = new FakeClock();
  const times: number[] = [];
  const end = await watchCompile(first, {
    clock,
    signal: new AbortController().signal,
    ...(limitMs !== undefined && { limitMs }),
    read: async () => {
      times.push(clock.now() / 1000);
      return reads[Math.min(times.length, reads.length) - 1] as Read;
    },
  });
  return { end, times };
}

test("a compile that never ends is read at most 25 times in 10 minutes, with growing pauses", async () => {
  const { end, times } = await watched([result("running")]);
  assert.equal(end, "timed-out");
  assert.deepEqual(times.slice(0, 6), [2, 6, 14, 30, 60, 90]);
  assert.ok(times.length <= 25, `${times.length} reads`);
  assert.ok((times.at(-1) as number) <= 600);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
  assert.ok(Math.max(...gaps) <= 30);
});

test("the watch ends with the compile", async () => {
  assert.deepEqual(await watched([result("running"), result("succeeded")]), { end: "final", times: [2, 6] });
  assert.deepEqual(await watched([result("failed")]), { end: "final", times: [2] });
  assert.deepEqual(await watched([], { first: result("succeeded") }), { end: "final", times: [] });
});

test("three equal reads of an unknown status end it, others don't", async () => {
  assert.deepEqual(await watched([result("odd")]), { end: "settled", times: [2, 6, 14] });
  const mixed = [result("odd"), result("odd"), result("running"), result("odd"), result("even"), result("odd")];
  assert.equal((await watched(mixed)).times.length, 8);
  assert.equal((await watched([result("odd"), "failed", result("odd")])).times.length, 4);
});

test("a result of an older version doesn't end it", async () => {
  const older = compileResult({
    compilation_status: "succeeded",
    graph_version: 2,
    compiled_graph: { graph_version: 1 },
  });
  assert.deepEqual(await watched([older, older, older, older, result("succeeded")]), {
    end: "final",
    times: [2, 6, 14, 30, 60],
  });
});

test("three equal reads with the input hash of before the push end it", async () => {
  const hash = { compilation_status: "succeeded", compilation_input_hash: "h" };
  const same = compileResult({ ...hash, graph_version: 2 }, compileResult({ ...hash, graph_version: 1 }));
  assert.deepEqual(await watched([same], { first: same }), { end: "settled", times: [2, 6, 14] });
});

test("failed reads are repeated; a revision that can't be read ends it", async () => {
  assert.deepEqual((await watched(["failed", "failed", result("succeeded")])).times, [2, 6, 14]);
  assert.deepEqual(await watched(["unavailable"]), { end: "unavailable", times: [2] });
});

test("a shorter limit has a last read when the time is up; a longer one has more reads", async () => {
  assert.deepEqual(await watched([result("running")], { limitMs: 5_000 }), { end: "timed-out", times: [2, 5] });
  assert.deepEqual(await watched([result("running")], { limitMs: 0 }), { end: "timed-out", times: [] });
  assert.ok(((await watched([result("running")], { limitMs: 3_600_000 })).times.at(-1) as number) >= 3_570);
});

test("a cancelled watch reads nothing more", async () => {
  const stop = new AbortController();
  let reads = 0;
  const end = await watchCompile(result("pending"), {
    clock: new FakeClock(),
    signal: stop.signal,
    read: async () => {
      reads++;
      stop.abort();
      return result("running");
    },
  });
  assert.deepEqual([end, reads], ["cancelled", 1]);
});
