/** Times, percentiles and reports of benchmarks. Imports nothing of the project, so that a benchmark can be bundled. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** The times of one operation in milliseconds. A benchmark fails if their median exceeds the limit. */
export interface Row {
  readonly what: string;
  readonly times: readonly number[];
  readonly limit?: number;
  /** The percentile that the limit applies to instead of the median: 0.95 is the 95th percentile, 0 the best. */
  readonly share?: number;
}

/** Prints rows as a table, and returns whether all limits hold. */
export function report(rows: readonly Row[]): boolean {
  console.log(`${machine()}; milliseconds`);
  console.log("| measurement | best | median | p95 | limit |\n|---|---|---|---|---|");
  const isOver = ({ times, limit, share = 0.5 }: Row) => limit !== undefined && percentile(times, share) > limit;
  for (const row of rows) {
    const figures = [0, 0.5, 0.95].map((share) => show(percentile(row.times, share)));
    const limit = row.limit === undefined ? "" : `${show(row.limit)} ${isOver(row) ? "✖" : "✔"}`;
    console.log(`| ${row.what} | ${figures.join(" | ")} | ${limit} |`);
  }
  return !rows.some(isOver);
}

/** The machine that figures were measured on. */
export function machine(): string {
  return `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(times: readonly number[]): number {
  return percentile(times, 0.5);
}

/** Wall times of repeated work, without the first `warm` rounds. */
export async function timesOf(
  rounds: number,
  work: (round: number) => Promise<unknown>,
  warm = 0,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < warm + rounds; round++) {
    const begun = performance.now();
    await work(round);
    if (round >= warm) times.push(performance.now() - begun);
  }
  return times;
}

/** The processor time of some work. It reflects the code also on a busy machine. */
export function processorTime(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Processor time of another process in milliseconds, if the system reports it (Linux: in steps of 10 ms). */
export function cpuOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** Wall times of a Node program: on a busy machine, the best reflects the program and the median the machine. */
export function commandTimes(times: number, args: readonly string[], cwd: string, expected = 0): readonly number[] {
  return Array.from({ length: times }, () => {
    const begun = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 1e9 });
    if (status !== expected) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return performance.now() - begun;
  });
}

/** A figure in a table. */
export function show(value: number): string {
  return Number.isNaN(value) ? "—" : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
}
