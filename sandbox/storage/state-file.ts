/**
 * Keeps the state in one file of a data directory. Each write replaces the whole file atomically, so a crash leaves
 * either the old state or the new one. For a flow of 2,000 nodes a write takes about 80 ms, and a response waits for it;
 * a journal would take 15 ms, which isn't worth its code in a sandbox.
 */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { flushFolder, privateFolder, readPrivate, writeWhole } from "../../files";

const NAME = "state.json";

/** Temporary files of `files/write.ts`, left by a process that was killed while writing. */
const UNFINISHED = /^\.assistant-flow-[0-9a-f]{24}\.tmp$/;

export class StateFile {
  #isChanged = false;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(
    private readonly directory: string,
    private readonly stateNow: () => unknown,
  ) {}

  /** Opens a directory. `load` gets its state, if there is one; a damaged file is set aside and reported. */
  static async open(
    directory: string,
    options: {
      readonly load: (state: unknown) => void;
      readonly stateNow: () => unknown;
      readonly report: (message: string) => void;
    },
  ): Promise<StateFile> {
    await privateFolder(directory);
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      if (entry.isFile() && UNFINISHED.test(entry.name)) rmSync(join(directory, entry.name), { force: true });
    const text = await readPrivate(join(directory, NAME));
    if (text !== undefined) {
      try {
        options.load(JSON.parse(text));
      } catch {
        options.report(setAside(directory));
      }
    }
    return new StateFile(directory, options.stateNow);
  }

  /** The state has changed and must be written. */
  changed(): void {
    this.#isChanged = true;
    this.#writing ??= this.#write();
  }

  /** Resolves when all changes so far are on disk; rejects permanently once a write has failed. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** One write at a time; the next one includes all changes made in the meantime. */
  async #write(): Promise<void> {
    try {
      while (this.#isChanged && !this.#failure) {
        // Changes of the same turn are written together.
        await Promise.resolve();
        this.#isChanged = false;
        const text = `${JSON.stringify(this.stateNow())}\n`;
        await writeWhole(join(this.directory, NAME), text, { private: true, durable: true });
        await flushFolder(this.directory);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#writing = undefined;
    }
  }
}

function setAside(directory: string): string {
  let aside = `damaged-${NAME}`;
  for (let number = 2; readdirSync(directory).includes(aside); number++) aside = `damaged-${number}-${NAME}`;
  renameSync(join(directory, NAME), join(directory, aside));
  return `${NAME} is damaged and was set aside as ${aside}. The sandbox starts without data.`;
}
