/** Notices records that another program writes to the state folder, such as `assistant-flow push` in a terminal. */
import { type FSWatcher, watch } from "../../system";

export class RecordChanges {
  #watcher: FSWatcher | undefined;

  constructor(
    private readonly folder: string,
    private readonly changed: (file: string) => void,
  ) {}

  /** Starts watching if the folder exists by now. */
  start(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.folder, { persistent: false }, (_, file) => {
        if (file?.endsWith(".revision")) this.changed(file);
      }).on("error", () => this.stop());
    } catch {
      // The folder doesn't exist yet, or can't be watched: the next look at the platform shows the same.
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
