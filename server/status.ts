/** What a maintainer asks for in a bug report about the server: uptime, memory, pauses, files and the last errors. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Connection } from "vscode-languageserver";
import { visibleLine } from "../text";
import type { ServerStatus } from "./messages";

const MAX_ERRORS = 10;
const MAX_ERROR_LENGTH = 300;
const SAMPLE_EVERY_MS = 20;

export class StatusRecorder {
  readonly #errors: { readonly at: string; readonly message: string }[] = [];
  readonly #pauses = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });

  constructor(connection: Connection) {
    this.#pauses.enable();
    const { console: log } = connection;
    const error = log.error.bind(log);
    log.error = (message) => {
      const [first = ""] = message.split("\n");
      const line = visibleLine(first).slice(0, MAX_ERROR_LENGTH);
      this.#errors.push({ at: new Date().toISOString(), message: line });
      if (this.#errors.length > MAX_ERRORS) this.#errors.shift();
      error(message);
    };
  }

  report(files: ServerStatus["files"]): ServerStatus {
    // The monitor counts its own interval as delay.
    const pause = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6) - SAMPLE_EVERY_MS);
    return {
      node: process.version,
      uptimeSeconds: Math.round(process.uptime()),
      memoryMb: Math.round(process.memoryUsage().rss / 1e6),
      pauses: { p99Ms: pause(this.#pauses.percentile(99)), longestMs: pause(this.#pauses.max) },
      files,
      lastErrors: [...this.#errors],
    };
  }

  dispose(): void {
    this.#pauses.disable();
  }
}
