/** Times and percentiles of benchmarks. Imports nothing of the project, so that a benchmark can be bundled. */
import { availableParallelism, loadavg } from "node:os";

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

/** Wall time and processor time in milliseconds; on a busy machine only the latter reflects the code. */
export interface Time {
  readonly clock: number;
  readonly processor: number;
}

/** Starts a measurement; the result returns the time since then. */
export function timer(): () => Time {
  const begun = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { clock: performance.now() - begun, processor: (user + system) / 1000 };
  };
}

export function timeOf(work: () => unknown): Time {
  const time = timer();
  work();
  return time();
}

export function timeAt(times: readonly Time[], share: number): Time {
  const one = (which: keyof Time) =>
    percentile(
      times.map((time) => time[which]),
      share,
    );
  return { clock: one("clock"), processor: one("processor") };
}

export function showTime({ clock, processor }: Time): string {
  return `${clock.toFixed(1)} ms (processor ${processor.toFixed(1)})`;
}

/** Whole milliseconds in a column. */
export function column(ms: number): string {
  return ms.toFixed(0).padStart(6);
}

/** A figure in a table. */
export function show(value: number): string {
  return Number.isNaN(value) ? "—" : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
}
