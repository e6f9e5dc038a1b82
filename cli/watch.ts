/** `--watch`: runs a command again when a file changes. */
import { type FSWatcher, watch } from "node:fs";
import { EXIT, Stop } from "./command";
import type { Terminal } from "./terminal";

export interface WatchedRun {
  readonly code: number;
  /** The folders of the files that were used. */
  readonly folders: readonly string[];
}

/** Debounce interval: editors write a file in several steps. */
const DEBOUNCE_MS = 50;

/** Reruns a command when a file changes, until interrupted. */
export async function watchFiles(
  once: () => Promise<WatchedRun>,
  isWatched: (name: string) => boolean,
  terminal: Terminal,
): Promise<number> {
  let code = EXIT.fine as number;
  let running = Promise.resolve();
  let pending: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  return new Promise((done, fail) => {
    const start = () => {
      running = running.then(runAgain);
      running.catch(fail);
    };
    const changed = (_event: string, name: string | null) => {
      if (name !== null && !isWatched(name)) return;
      clearTimeout(pending);
      pending = setTimeout(() => {
        terminal.err("A file changed. Running again.\n");
        start();
      }, DEBOUNCE_MS);
    };
    const watchFolder = (folder: string) => {
      if (watchers.has(folder)) return;
      // A removed folder is no longer watched.
      const watcher = watch(folder, changed).on("error", () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    };
    const runAgain = async () => {
      try {
        const outcome = await once();
        code = outcome.code;
        for (const folder of outcome.folders) watchFolder(folder);
      } catch (error) {
        // The file may be missing or incomplete for a moment; the next change event picks it up.
        if (!(error instanceof Stop)) throw error;
        terminal.err(`${error.message}\n`);
        code = EXIT.failed;
      }
      terminal.err("Watching for changes. Press Ctrl+C to stop.\n");
    };
    process.once("SIGINT", () => {
      clearTimeout(pending);
      for (const watcher of watchers.values()) watcher.close();
      void running.then(() => done(code), fail);
    });
    watchFolder(terminal.cwd);
    start();
  });
}
