/** A worker thread that is started by the first message, and ends when it's idle. */
import type { Worker } from "../system";

export class IdleThread<Answer extends { readonly id: number }> {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly start: () => Worker,
    /** The answer to a message that a thread didn't answer before it ended. */
    private readonly unanswered: (id: number, why: string) => Answer,
    private readonly idleMs: number,
  ) {}

  /** Sends the message that `messageOf` returns for a new ID. */
  ask(messageOf: (id: number) => unknown): { readonly id: number; readonly answer: Promise<Answer> } {
    const id = ++this.#count;
    clearTimeout(this.#idle);
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#worker ??= this.#newWorker();
    this.#worker.postMessage(messageOf(id));
    return { id, answer };
  }

  /** Sends a message that isn't answered. */
  tell(message: unknown): void {
    this.#worker?.postMessage(message);
  }

  answer(answer: Answer): void {
    const resolve = this.#waiting.get(answer.id);
    if (!resolve) return;
    this.#waiting.delete(answer.id);
    resolve(answer);
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => {
      // Ending a thread may take seconds on a busy machine, so new messages go to another one.
      void this.#worker?.terminate();
      this.#worker = undefined;
    }, this.idleMs);
    this.#idle.unref();
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #newWorker(): Worker {
    const worker = this.start();
    worker.unref();
    worker.on("message", (answer: Answer) => this.answer(answer));
    // A thread that runs out of memory only loses its messages; the server continues.
    worker.on("error", (error) => this.#ended(worker, error.message));
    worker.on("exit", () => this.#ended(worker, "The thread has ended."));
    return worker;
  }

  #ended(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const id of [...this.#waiting.keys()]) this.answer(this.unanswered(id, why));
  }
}
