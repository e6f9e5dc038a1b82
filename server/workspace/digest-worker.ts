/**
 * A worker thread that reads and checks files that aren't open, for digest-reader.ts, so that typing never waits for
 * them.
 */
import { parentPort, workerData } from "../../system";
import { type DigestOptions, digestOf } from "./digest";
import { DigestCache } from "./digest-cache";
import { readFlowFile } from "./files";

export interface DigestRequest {
  readonly id: number;
  readonly uri: string;
  readonly options: DigestOptions;
}
export interface DigestAnswer {
  readonly id: number;
  /** The digest as JSON, which crosses threads faster than objects; absent if the file doesn't exist. */
  readonly digest?: string;
}

const cache = new DigestCache((workerData as { stateDir: string }).stateDir, __filename);
void cache.prune();

parentPort?.on("message", async ({ id, uri, options }: DigestRequest) => {
  const text = await readFlowFile(uri);
  if (text === undefined) return parentPort?.postMessage({ id } satisfies DigestAnswer);
  const key = await cache.keyOf(uri, text, options);
  let digest = await cache.get(key);
  if (!digest) {
    digest = digestOf(uri, text, options);
    await cache.put(key, digest);
  }
  parentPort?.postMessage({ id, digest: JSON.stringify(digest) } satisfies DigestAnswer);
});
