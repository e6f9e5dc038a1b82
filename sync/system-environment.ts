/** The sync environment of this process: its stored state and the system clock. */
import { path, realpathSync, type StateStore } from "../system";
import type { Clock, Remote, SyncEnvironment } from "./environment";

export function systemEnvironment(remote: Remote, state: StateStore): SyncEnvironment {
  return {
    remote,
    storage: state,
    clock: systemClock,
    random: Math.random,
    process: state.process,
    isGone: (process) => state.isGone(process),
  };
}

/** The canonical name of a file, with symbolic links resolved. */
export function fileNamed(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // The file was moved or removed; its folder may still exist.
    const folder = path.dirname(file);
    return folder === file ? file : path.join(fileNamed(folder), path.basename(file));
  }
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
    }),
};
