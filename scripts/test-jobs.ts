/** Runs the jobs of a test run concurrently, and reports failures and times. */
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Result } from "./node-tests";
import { inProject } from "./project";

/** Jobs that are reported together. */
export interface JobGroup {
  readonly name: string;
  /**
   * Fetches or creates what the jobs need, once. It may return a note about how they run. `isAsked`: the group was
   * named on the command line.
   */
  readonly prepare?: (isAsked: boolean) => Promise<string | undefined>;
  /** How many jobs of the group may run at the same time. */
  readonly atOnce?: number;
}

/** A test file, or another check. */
export interface Job {
  readonly group: JobGroup;
  readonly name: string;
  readonly run: () => Promise<Result>;
}

export interface Done extends Result {
  readonly job: Job;
  readonly seconds: number;
}

/** The machine lacks something that a group needs. In CI that is a failure, elsewhere the jobs are skipped. */
export class CannotRun extends Error {}

/** Two more jobs than there are processors: tests of VS Code wait for more than half of their time. */
const JOBS_AT_ONCE = availableParallelism() + 2;

/**
 * Runs jobs, in this order as far as `atOnce` and the preparation of their groups allow it: while VS Code is being
 * installed, other jobs use the processors. A group is reported when its last job has ended.
 */
export async function runJobs(jobs: readonly Job[], asked: readonly string[]): Promise<readonly Done[]> {
  const waiting = [...jobs];
  const running = new Set<Job>();
  const done: Done[] = [];
  mkdirSync(inProject("test/out"), { recursive: true });
  const preparing = new Set<Promise<unknown>>();
  const prepared = new Map<JobGroup, Promise<string | undefined>>();
  const ready = new Set<JobGroup>();
  for (const group of new Set(jobs.map((job) => job.group))) {
    rmSync(logOf(group), { force: true });
    if (!group.prepare) {
      ready.add(group);
      continue;
    }
    const note = group.prepare(asked.includes(group.name));
    prepared.set(group, note);
    const settled: Promise<unknown> = Promise.allSettled([note]).then(() => {
      ready.add(group);
      preparing.delete(settled);
    });
    preparing.add(settled);
  }

  const next = () => {
    const runningOf = (group: JobGroup) => [...running].filter((job) => job.group === group).length;
    const index = waiting.findIndex(
      ({ group }) => ready.has(group) && (group.atOnce === undefined || runningOf(group) < group.atOnce),
    );
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const run = async (job: Job): Promise<Done> => {
    const begin = Date.now();
    let result: Result;
    try {
      await prepared.get(job.group);
      result = await job.run();
    } catch (error) {
      result = withoutRun(error as Error);
    }
    return { job, seconds: secondsSince(begin), ...result };
  };
  const worker = async () => {
    for (;;) {
      const job = next();
      if (!job && preparing.size > 0) {
        await Promise.race(preparing);
        continue;
      }
      // Every waiting job waits for a job of its group, and the worker of that job continues.
      if (!job) return;
      const { group } = job;
      running.add(job);
      const ended = await run(job);
      running.delete(job);
      done.push(ended);
      reportJob(ended);
      if ([...waiting, ...running].some((each) => each.group === group)) continue;
      const note = await prepared.get(group)?.catch((error: Error) => error.message);
      reportGroup(
        group,
        done.filter((each) => each.job.group === group),
        note,
      );
    }
  };
  await Promise.all(Array.from({ length: JOBS_AT_ONCE }, worker));
  return done;
}

function withoutRun(error: Error): Result {
  const isSkipped = error instanceof CannotRun && !process.env.CI;
  return { passed: 0, failed: isSkipped ? 0 : 1, skipped: isSkipped ? 1 : 0, output: error.stack ?? error.message };
}

/** The output of a group is kept in test/out/, with the duration of each test. */
function logOf(group: JobGroup): string {
  return inProject(`test/out/${group.name}.log`);
}

function reportJob({ job, seconds, cpuSeconds, output, failed }: Done): void {
  const text = `${job.name}, ${seconds.toFixed(1)} s${processorTime(cpuSeconds)}\n${output.trimEnd()}\n`;
  appendFileSync(logOf(job.group), text);
  if (failed > 0) console.log(text);
}

function reportGroup(group: JobGroup, done: readonly Done[], note: string | undefined): void {
  const sum = (pick: (each: Done) => number | undefined) => done.reduce((total, each) => total + (pick(each) ?? 0), 0);
  const [passed, failed, skipped] = [
    sum((each) => each.passed),
    sum((each) => each.failed),
    sum((each) => each.skipped),
  ];
  const mark = failed > 0 ? "✖" : passed === 0 && skipped > 0 ? "-" : "✔";
  const counts = `${passed} ok, ${failed} not ok${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  console.log(
    `${mark} ${group.name}: ${counts}, ${sum((each) => each.seconds).toFixed(1)} s${note ? `, ${note}` : ""}`,
  );
}

/**
 * Prints the time of each group and the slowest jobs. Jobs run concurrently, so their seconds add up to more than the
 * total.
 */
export function reportTimes(done: readonly Done[], wholeSeconds: number): void {
  const groups = new Map<string, { seconds: number; cpu: number }>();
  for (const { job, seconds, cpuSeconds = 0 } of done) {
    const before = groups.get(job.group.name) ?? { seconds: 0, cpu: 0 };
    groups.set(job.group.name, { seconds: before.seconds + seconds, cpu: before.cpu + cpuSeconds });
  }
  const longestFirst = [...groups].sort(([, a], [, b]) => b.seconds - a.seconds);
  const times = longestFirst
    .map(
      ([name, { seconds, cpu }]) =>
        `${name} ${seconds.toFixed(0)} s${cpu > 0 ? ` (processor ${cpu.toFixed(0)} s)` : ""}`,
    )
    .join(", ");
  console.log(`${wholeSeconds.toFixed(0)} s with ${JOBS_AT_ONCE} jobs side by side: ${times}. The slowest:`);
  const slowest = [...done].sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  for (const { job, seconds, cpuSeconds } of slowest) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${job.name}${processorTime(cpuSeconds)}`);
  }
}

function processorTime(seconds: number | undefined): string {
  return seconds === undefined ? "" : `, ${seconds.toFixed(1)} s of processor time`;
}

export function secondsSince(begin: number): number {
  return (Date.now() - begin) / 1000;
}
