/** A thread that checks files, for check-files.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { type FlowFile, withText } from "../files/flow-files";
import { CheckContext } from "./check-context";
import type { Batch, CheckedBatch } from "./check-files";
import { checkAny } from "./companion-findings";
import type { CheckedFile, CheckOptions } from "./findings";

const options = workerData as CheckOptions;
const context = new CheckContext(options);

/** What was asked last. Batches wait for each other, so that one file at a time is in memory with all that is made of it. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (batch: Batch) => {
  // Read while the files before are checked. Whoever asked tries again, and tells what is wrong with a file.
  const files = batch.files.map((file) => withText(file, options.cwd).catch(() => undefined));
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
