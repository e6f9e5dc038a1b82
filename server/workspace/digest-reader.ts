/** Reads files that aren't open, in a worker thread if the program is bundled; the thread ends when it is idle. */
import { existsSync, join, Worker } from "../../system";
import { type DigestOptions, digestOf, type FileDigest } from "./digest";
import type { DigestAnswer, DigestRequest } from "./digest-worker";
import { readFlowFile } from "./files";

const WORKER = join(__dirname, "digest-worker.js");
const IDLE_MS = 5_000;

export class DigestReader {
  #worker: Worker | undefined;
  #waiting = new Map<number, (digest: string | undefined) => void>();
  #count = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: (uri: string) => DigestOptions,
    private readonly program = WORKER,
    private readonly idleMs = IDLE_MS,
  ) {}

  /** The digest of a file, or undefined if it can't be read. */
  async read(uri: string): Promise<FileDigest | undefined> {
    if (!existsSync(this.program)) {
      const text = await readFlowFile(uri);
      return text === undefined ? undefined : digestOf(uri, text, this.options(uri));
    }
    const digest = await new Promise<string | undefined>((resolve) => {
      const id = ++this.#count;
      this.#waiting.set(id, resolve);
      clearTimeout(this.#idle);
      this.#thread().postMessage({ id, uri, options: this.options(uri) } satisfies DigestRequest);
    });
    return digest === undefined ? undefined : (JSON.parse(digest) as FileDigest);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.program, {
      // Objects live only as long as their file is checked, so a small young generation is enough.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    worker.unref();
    worker.on("message", ({ id, digest }: DigestAnswer) => this.#answer(id, digest));
    // A thread that runs out of memory only loses its file; the server continues.
    worker.on("error", () => this.#ended(worker));
    worker.on("exit", () => this.#ended(worker));
    this.#worker = worker;
    return worker;
  }

  #answer(id: number, digest: string | undefined): void {
    this.#waiting.get(id)?.(digest);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => {
      // Ending a thread may take seconds on a busy machine, so new reads go to another one.
      void this.#worker?.terminate();
      this.#worker = undefined;
    }, this.idleMs);
    this.#idle.unref();
  }

  #ended(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const id of [...this.#waiting.keys()]) this.#answer(id, undefined);
  }
}
