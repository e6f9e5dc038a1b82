/** The worker thread that lists and runs tests, for thread.ts, so that typing never waits for them. */
import { parentPort, workerData } from "../../system";
import { setTranslations } from "../../text";
import { Cancelled } from "./cancelled";
import { TestRunner, type Work } from "./run";

export interface TestThreadData {
  readonly words: Readonly<Record<string, string>> | undefined;
}

export type ToTestThread =
  | { readonly type: "work"; readonly id: number; readonly work: Work }
  | { readonly type: "cancel"; readonly id: number };

export interface FromTestThread {
  readonly id: number;
  /** As JSON, which crosses threads faster than objects. */
  readonly result?: string;
  readonly cancelled?: true;
  readonly error?: string;
}

/** How long the thread works before it checks for cancellation. */
const SLICE_MS = 20;

setTranslations((workerData as TestThreadData).words);

const unwanted = new Set<number>();
let working = 0;
let since = 0;
let queue = Promise.resolve();

const runner = new TestRunner(async () => {
  if (performance.now() - since < SLICE_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  since = performance.now();
  if (unwanted.has(working)) throw new Cancelled();
});

parentPort?.on("message", (message: ToTestThread) => {
  if (message.type === "cancel") return void unwanted.add(message.id);
  const { id, work } = message;
  queue = queue.then(async () => parentPort?.postMessage(await answer(id, work)));
});

async function answer(id: number, work: Work): Promise<FromTestThread> {
  if (unwanted.delete(id)) return { id, cancelled: true };
  working = id;
  since = performance.now();
  try {
    return { id, result: JSON.stringify(await runner.do(work)) };
  } catch (error) {
    if (error instanceof Cancelled) return { id, cancelled: true };
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    unwanted.delete(id);
  }
}
