/** What a maintainer asks for in a bug report about the server: uptime, memory, load, files and the last errors. */
import type { Connection } from "vscode-languageserver";
import { processStatus } from "../system";
import { visibleLine } from "../text";
import type { ServerStatus } from "./messages";

const MAX_ERRORS = 10;
const MAX_ERROR_LENGTH = 300;

export class StatusRecorder {
  readonly #errors: { readonly at: string; readonly message: string }[] = [];

  constructor(connection: Connection) {
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
    return {
      ...processStatus(),
      files,
      lastErrors: [...this.#errors],
    };
  }
}
