/** Lists and runs tests in a worker thread if the program is bundled; the thread ends when it is idle. */
import { existsSync, join, Worker } from "../../system";
import { Cancelled } from "./cancelled";
import type { TestRunner, Work } from "./run";
import type { FromTestThread, TestThreadData, ToTestThread } from "./worker";

const WORKER = join(__dirname, "test-worker.js");
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

export class TestThread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #idle: NodeJS.Timeout | undefined;
  #here: Promise<TestRunner> | undefined;

  /** `words` are the editor's translations; the thread has its own copy of the messages. */
  constructor(
    private readonly words: () => TestThreadData["words"],
    private readonly program = WORKER,
    private readonly idleMs = IDLE_MS,
  ) {}

  /** The result as JSON. Rejects with `Cancelled` when `onCancel` calls back. */
  async ask(work: Work, onCancel: (cancel: () => void) => void): Promise<string> {
    if (!existsSync(this.program)) {
      this.#here ??= runnerHere();
      return JSON.stringify(await (await this.#here).do(work));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      clearTimeout(this.#idle);
      this.#waiting.set(id, { resolve, reject });
      const worker = this.#thread();
      worker.postMessage({ type: "work", id, work } satisfies ToTestThread);
      onCancel(() => {
        worker.postMessage({ type: "cancel", id } satisfies ToTestThread);
        // The thread reads messages between tests only, and a search for tests may take a while.
        this.#answer({ id, cancelled: true });
      });
    });
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.program, { workerData: { words: this.words() } satisfies TestThreadData });
    worker.unref();
    worker.on("message", (message: FromTestThread) => this.#answer(message));
    // A thread that runs out of memory only loses its runs; the server continues.
    worker.on("error", (error) => this.#ended(worker, error.message));
    worker.on("exit", () => this.#ended(worker, "The thread that runs tests has ended."));
    this.#worker = worker;
    return worker;
  }

  #answer({ id, result, cancelled, error }: FromTestThread): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if (result !== undefined) waiting.resolve(result);
    else waiting.reject(cancelled ? new Cancelled() : new Error(error));
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => {
      // Ending a thread may take seconds on a busy machine, so new requests go to another one.
      void this.#worker?.terminate();
      this.#worker = undefined;
    }, this.idleMs);
    this.#idle.unref();
  }

  #ended(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const id of [...this.#waiting.keys()]) this.#answer({ id, error: why });
  }
}

/** Only unbundled sources run tests without the thread, so its code isn't part of the server's bundle. */
async function runnerHere(): Promise<TestRunner> {
  const { TestRunner } = await import("./run");
  return new TestRunner(() => new Promise((resolve) => setImmediate(resolve)));
}
