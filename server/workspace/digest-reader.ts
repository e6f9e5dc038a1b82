/** Reads files that aren't open, in a worker thread if the program is bundled. */
import { existsSync, join, Worker } from "../../system";
import { IdleThread } from "../idle-thread";
import { type DigestOptions, digestOf, type FileDigest } from "./digest";
import type { DigestAnswer, DigestRequest } from "./digest-worker";
import { readFlowFile } from "./files";

const WORKER = join(__dirname, "digest-worker.js");
const IDLE_MS = 5_000;

export class DigestReader {
  readonly #thread: IdleThread<DigestAnswer>;

  constructor(
    private readonly options: (uri: string) => DigestOptions,
    private readonly program = WORKER,
    idleMs = IDLE_MS,
  ) {
    // Objects live only as long as their file is checked, so a small young generation is enough.
    const start = () => new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
    this.#thread = new IdleThread<DigestAnswer>(start, (id) => ({ id }), idleMs);
  }

  /** The digest of a file, or undefined if it can't be read. */
  async read(uri: string): Promise<FileDigest | undefined> {
    if (!existsSync(this.program)) {
      const text = await readFlowFile(uri);
      return text === undefined ? undefined : digestOf(uri, text, this.options(uri));
    }
    const options = this.options(uri);
    const { digest } = await this.#thread.ask((id): DigestRequest => ({ id, uri, options })).answer;
    return digest === undefined ? undefined : (JSON.parse(digest) as FileDigest);
  }

  dispose(): Promise<void> {
    return this.#thread.dispose();
  }
}
