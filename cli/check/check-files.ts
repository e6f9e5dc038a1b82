/**
 * Checks files, on all cores if there are many. Each thread reads and checks some files and returns plain data;
 * problems across files are found at the end.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { checkWorkspace, componentsIn } from "../../flow";
import type { NamedFile } from "../files/flow-files";
import { countedProgress, type Terminal } from "../terminal";
import { CheckContext } from "./check-context";
import { checkAny, readToCheck } from "./companion-findings";
import type { CheckedFile, CheckOptions } from "./findings";

export async function checkFiles(
  files: readonly NamedFile[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<CheckedFile[]> {
  const line = countedProgress("Checking", files.length, terminal);
  try {
    const threads = Math.min(availableParallelism(), Math.floor(files.length / FILES_PER_THREAD));
    const checked =
      threads > 1 && options.details !== "when-asked" && existsSync(WORKER)
        ? await inThreads(files, options, threads, line.done)
        : await oneByOne(files, options, line.done);
    return await withCrossFileProblems(checked, options);
  } finally {
    line.end();
  }
}

/** With fewer files per thread, starting the thread takes longer than checking them. */
const FILES_PER_THREAD = 24;
/** Files sent to a thread at a time; small, so that all threads finish together. */
const BATCH = 8;
/** The bundle of the worker; missing when the sources run unbundled. */
const WORKER = path.join(__dirname, "check-worker.js");

async function oneByOne(
  files: readonly NamedFile[],
  options: CheckOptions,
  done: (file: NamedFile) => void,
): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = [];
  const context = new CheckContext(options);
  for (const file of files) {
    checked.push(await checkAny(await readToCheck(file, options.cwd), options, context));
    done(file);
  }
  return checked;
}

/** A job for a thread, and its result in the same order; undefined for a file that couldn't be read. */
export interface Batch {
  readonly first: number;
  readonly files: readonly NamedFile[];
}
export interface CheckedBatch {
  readonly first: number;
  readonly checked: readonly (CheckedFile | undefined)[];
}

async function inThreads(
  files: readonly NamedFile[],
  options: CheckOptions,
  threads: number,
  done: (file: NamedFile) => void,
): Promise<CheckedFile[]> {
  const checked = new Array<CheckedFile | undefined>(files.length);
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      // A large young generation, because checking creates many short-lived objects.
      const worker = new Worker(WORKER, { workerData: options, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
      let busy = 0;
      const give = () => {
        for (; busy < 2 && next < files.length; busy++) {
          worker.postMessage({ first: next, files: files.slice(next, next + BATCH) } satisfies Batch);
          next += BATCH;
        }
        if (busy === 0) void worker.terminate().then(() => resolve(), reject);
      };
      worker.on("message", ({ first, checked: some }: CheckedBatch) => {
        busy--;
        some.forEach((each, index) => {
          checked[first + index] = each;
          done(files[first + index] as NamedFile);
        });
        give();
      });
      worker.once("error", reject);
      give();
    });
  await Promise.all(Array.from({ length: threads }, work));
  // Files that a thread couldn't read are retried here, to report the error.
  const context = new CheckContext(options);
  return Promise.all(
    checked.map(
      async (each, index) =>
        each ?? checkAny(await readToCheck(files[index] as NamedFile, options.cwd), options, context),
    ),
  );
}

async function withCrossFileProblems(checked: CheckedFile[], options: CheckOptions): Promise<CheckedFile[]> {
  const flows = checked.flatMap(({ flow }) => flow ?? []);
  const between = checkWorkspace(
    flows.map(({ summary }) => summary),
    options.rules,
  );
  const component = componentsIn(() => flows.map(({ facts }) => facts));
  if (between.size === 0 && !flows.some(({ components }) => components.some(component))) return checked;
  const context = new CheckContext(options);
  const byUri = new Map(checked.map((each) => [each.flow?.summary.uri, each]));
  const placeIn = (uri: string) => {
    const other = byUri.get(uri);
    return other?.flow?.revisionRange && { path: other.file.path, range: other.flow.revisionRange };
  };
  return Promise.all(
    checked.map(async (each) => {
      const { flow } = each;
      const problems = (flow && between.get(flow.summary.uri)) ?? [];
      const isAlone = !flow || (problems.length === 0 && !flow.components.some(component));
      return isAlone
        ? each
        : checkAny(await readToCheck(each.file, options.cwd), options, context, { problems, component, placeIn });
    }),
  );
}
