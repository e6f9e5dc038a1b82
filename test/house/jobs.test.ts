/** The jobs of a test run: concurrency, order, and reports of groups that can't run. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { countLine } from "../../scripts/node-tests";
import { inProject } from "../../scripts/project";
import { CannotRun, type Done, type Job, type JobGroup, reportTimes, runJobs } from "../../scripts/test-jobs";

const passed = { passed: 1, failed: 0, output: "" };

test("a group runs at most its limit of jobs at once; others fill the gaps", async (t) => {
  let [running, most] = [0, 0];
  const order: string[] = [];
  const run = (name: string) => async () => {
    order.push(name);
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return passed;
  };
  const narrow: JobGroup = { name: "jobs-narrow", atOnce: 1 };
  const names = ["n1", "n2", "n3"];
  const alone = await told(
    t,
    narrow,
    names.map((name) => ({ group: narrow, name, run: run(name) })),
  );
  assert.deepEqual(order, names);
  assert.equal(most, 1);
  assert.equal(countLine(alone.done), "3 passed, 0 failed");
  order.length = 0;
  const wide: JobGroup = { name: "jobs-wide" };
  const jobs = [
    ...names.map((name) => ({ group: narrow, name, run: run(name) })),
    { group: wide, name: "w", run: run("w") },
  ];
  await told(t, narrow, jobs, wide);
  assert.deepEqual(order.slice(0, 2), ["n1", "w"]);
});

test("a group's setup runs once; if it fails, its jobs are skipped, and fail in CI", async (t) => {
  let prepared = 0;
  const ready: JobGroup = { name: "jobs-ready", prepare: async () => `made ${++prepared} time` };
  const job = (group: JobGroup, name: string): Job => ({ group, name, run: async () => passed });
  const made = await told(t, ready, [job(ready, "a"), job(ready, "b")]);
  assert.match(made.text, /^✔ jobs-ready: 2 ok, 0 not ok, [\d.]+ s, made 1 time$/m);
  const lacking: JobGroup = { name: "jobs-lacking", prepare: () => Promise.reject(new CannotRun("No browser.")) };
  const { CI } = process.env;
  t.after(() => {
    process.env.CI = CI ?? "";
  });
  process.env.CI = "";
  const skipped = await told(t, lacking, [job(lacking, "a"), job(lacking, "b")]);
  assert.equal(countLine(skipped.done), "0 passed, 0 failed, 2 skipped");
  assert.match(skipped.text, /^- jobs-lacking: 0 ok, 0 not ok, 2 skipped, [\d.]+ s, No browser\.$/m);
  process.env.CI = "true";
  assert.equal(countLine((await told(t, lacking, [job(lacking, "a")])).done), "0 passed, 1 failed");
});

test("jobs of other groups run while a group is being prepared", async (t) => {
  let end = () => {};
  const slow: JobGroup = {
    name: "jobs-slow",
    prepare: () => new Promise((resolve) => (end = () => resolve(undefined))),
  };
  const other: JobGroup = { name: "jobs-other" };
  const order: string[] = [];
  const job = (group: JobGroup, name: string): Job => ({
    group,
    name,
    run: async () => {
      order.push(name);
      if (name === "o9") end();
      return passed;
    },
  });
  const names = Array.from({ length: 10 }, (_, index) => String(index));
  const all = [slow, other].flatMap((group) => names.map((name) => job(group, `${group.name[5]}${name}`)));
  await told(t, slow, all, other);
  assert.deepEqual(
    order,
    ["o", "s"].flatMap((group) => names.map((name) => group + name)),
  );
});

test("a failing job is shown at once, and its whole output is kept", async (t) => {
  const group: JobGroup = { name: "jobs-mixed" };
  const { done, text, log } = await told(t, group, [
    { group, name: "fine.test.ts", run: async () => ({ ...passed, output: "✔ quiet" }) },
    { group, name: "broken.test.ts", run: async () => ({ passed: 0, failed: 2, output: "✖ loud" }) },
    { group, name: "lost.test.ts", run: () => Promise.reject(new Error("no memory")) },
  ]);
  assert.equal(countLine(done), "1 passed, 3 failed");
  assert.match(text, /^broken\.test\.ts, [\d.]+ s\n✖ loud$/m);
  assert.match(text, /no memory/);
  assert.doesNotMatch(text, /quiet/);
  assert.match(log, /^fine\.test\.ts, [\d.]+ s\n✔ quiet$/m);
  const times = listen(t, () =>
    reportTimes(
      done.map((each, index) => ({ ...each, seconds: index, ...(index === 1 ? { cpuSeconds: 2.4 } : {}) })),
      3,
    ),
  );
  assert.match(
    await times,
    /^3 s with \d+ jobs side by side: jobs-mixed 3 s \(processor 2 s\)\. The slowest:\n +2\.0 s {2}\S+\n +1\.0 s {2}\S+, 2\.4 s of processor time$/m,
  );
});

/** Runs jobs and returns the output on the console and in the log of the first group. */
async function told(t: TestContext, group: JobGroup, jobs: readonly Job[], ...others: readonly JobGroup[]) {
  let done: readonly Done[] = [];
  const text = await listen(t, async () => {
    done = await runJobs(jobs, []);
  });
  const log = (each: JobGroup) => inProject(`test/out/${each.name}.log`);
  const kept = readFileSync(log(group), "utf8");
  for (const each of [group, ...others]) rmSync(log(each));
  return { done, text, log: kept };
}

async function listen(t: TestContext, body: () => unknown): Promise<string> {
  const lines: string[] = [];
  const { mock } = t.mock.method(console, "log", (text: string) => void lines.push(text));
  await body();
  mock.restore();
  return lines.join("\n");
}
