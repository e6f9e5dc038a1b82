/** A thread that checks files, for check-files.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { Batch, CheckedBatch } from "./check-files";
import { type CheckedFile, type CheckOptions, checkFile } from "./findings";
import { type NamedFile, withText } from "./flow-files";
import { PolicyFiles } from "./policy-files";

const options = workerData as CheckOptions;
const policies = new PolicyFiles(options.cwd);

async function check(file: NamedFile): Promise<CheckedFile | undefined> {
  // Whoever asked tries again, and tells what is wrong with the file.
  const read = await withText(file).catch(() => undefined);
  return read && checkFile(read, options, policies);
}

parentPort?.on("message", async ({ first, files }: Batch) => {
  const checked = await Promise.all(files.map(check));
  parentPort?.postMessage({ first, checked } satisfies CheckedBatch);
});
