/** The worker thread of check-files.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { FlowFile } from "../files/flow-files";
import { CheckContext } from "./check-context";
import type { Batch, CheckedBatch } from "./check-files";
import { checkAny, readToCheck } from "./companion-findings";
import type { CheckedFile, CheckOptions } from "./findings";

const options = workerData as CheckOptions;
const context = new CheckContext(options);

/** The previous batch. Batches run one after another, to keep only one parsed file in memory. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (batch: Batch) => {
  // Files are read while earlier ones are checked. The main thread retries those that fail, and reports the error.
  const files = batch.files.map((file) => readToCheck(file, options.cwd).catch(() => undefined));
  last = last.then(() => check(batch.first, files));
});

async function check(first: number, files: readonly Promise<FlowFile | undefined>[]): Promise<void> {
  const checked: (CheckedFile | undefined)[] = [];
  for (const reading of files) {
    const file = await reading;
    checked.push(file && (await checkAny(file, options, context)));
  }
  parentPort?.postMessage({ first, checked } satisfies CheckedBatch);
}
