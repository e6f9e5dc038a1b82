/** Other programs, this process and its machine. */

import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";

export { AsyncLocalStorage } from "node:async_hooks";
export { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
export { homedir, hostname } from "node:os";
export { type Readable, Transform, type TransformCallback, type Writable } from "node:stream";

/** Whether other programs can be started. */
export const hasProcesses: boolean = true;

/** The state of this process, for bug reports. */
export function processStatus() {
  return {
    node: process.version,
    uptimeSeconds: Math.round(process.uptime()),
    memoryMb: Math.round(process.memoryUsage().rss / 1e6),
    // Counted by Node itself: a timer would wake an idle server.
    busyPercent: Math.round(performance.eventLoopUtilization().utilization * 100),
  };
}

/** Collects garbage early to use little memory; it runs concurrently. */
export function collectEarly(): void {
  setFlagsFromString("--heap-growing-percent=50");
}
