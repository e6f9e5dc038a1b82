/** Lists and runs tests in a worker thread if the program is bundled. */
import { existsSync, join, Worker } from "../../system";
import { IdleThread } from "../idle-thread";
import { Cancelled } from "./cancelled";
import type { TestRunner, Work } from "./run";
import type { FromTestThread, TestThreadData, ToTestThread } from "./worker";

const WORKER = join(__dirname, "test-worker.js");
const IDLE_MS = 60_000;

export class TestThread {
  readonly #thread: IdleThread<FromTestThread>;
  #here: Promise<TestRunner> | undefined;

  /** `words` are the editor's translations; the thread has its own copy of the messages. */
  constructor(
    words: () => TestThreadData["words"],
    private readonly program = WORKER,
    idleMs = IDLE_MS,
  ) {
    const start = () => new Worker(program, { workerData: { words: words() } satisfies TestThreadData });
    this.#thread = new IdleThread<FromTestThread>(start, (id, error) => ({ id, error }), idleMs);
  }

  /** The result as JSON. Rejects with `Cancelled` when `onCancel` calls back. */
  async ask(work: Work, onCancel: (cancel: () => void) => void): Promise<string> {
    if (!existsSync(this.program)) {
      this.#here ??= runnerHere();
      return JSON.stringify(await (await this.#here).do(work));
    }
    const { id, answer } = this.#thread.ask((id): ToTestThread => ({ type: "work", id, work }));
    onCancel(() => {
      this.#thread.tell({ type: "cancel", id } satisfies ToTestThread);
      // The thread reads messages between tests only, and a search for tests may take a while.
      this.#thread.answer({ id, cancelled: true });
    });
    const { result, cancelled, error } = await answer;
    if (result !== undefined) return result;
    throw cancelled ? new Cancelled() : new Error(error);
  }

  dispose(): Promise<void> {
    return this.#thread.dispose();
  }
}

/** Only unbundled sources run tests without the thread, so its code isn't part of the server's bundle. */
async function runnerHere(): Promise<TestRunner> {
  const { TestRunner } = await import("./run");
  return new TestRunner(() => new Promise((resolve) => setImmediate(resolve)));
}
