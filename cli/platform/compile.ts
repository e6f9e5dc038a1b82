/** Compile results on the command line: what `status` shows, and what `push --wait` waits for. */
import { type CompileResult, compileResult } from "../../flow/compile";
import { fetchTransport, PlatformClient } from "../../platform";
import { type RevisionKeeper, type RevisionRecord, readCompile, systemClock, watchCompile } from "../../sync";
import { EXIT, type ExitCode, Stop } from "../command";
import { count, progress, type Terminal } from "../terminal";
import { clientFor } from "./cli-connection";
import type { SyncResult } from "./flow-sync";

/** The result of waiting for the compile of one pushed file. */
interface Wait {
  readonly result: SyncResult;
  readonly compile: CompileResult | undefined;
  readonly end: Awaited<ReturnType<typeof watchCompile>>;
  readonly exit: ExitCode;
}

/** Milliseconds from the value of `--wait`. */
export function waitLimit(seconds: string): number {
  if (seconds === "") return DEFAULT_LIMIT_MS;
  const limit = Number(seconds);
  if (!Number.isFinite(limit) || limit < 0) throw new Stop("--wait must be a number of seconds.", EXIT.usage);
  return Math.min(limit * 1000, MAX_LIMIT_MS);
}

const DEFAULT_LIMIT_MS = 600_000;
const MAX_LIMIT_MS = 24 * 3600_000;

/** Waits for all files at once, so that the time limit holds for the whole command. */
export async function waitForCompiles(
  results: readonly SyncResult[],
  limitMs: number,
  terminal: Terminal,
): Promise<Wait[]> {
  const line = progress(terminal);
  line.say("Waiting for the compile");
  try {
    return await Promise.all(
      results.flatMap((result) => {
        const { state, revision } = result;
        return state.kind === "synced" && revision ? [waitFor(result, revision, limitMs)] : [];
      }),
    );
  } finally {
    line.done();
  }
}

async function waitFor(result: SyncResult, revision: RevisionKeeper, limitMs: number): Promise<Wait> {
  // Failed requests are repeated by the watch, which counts them.
  const client = new PlatformClient(fetchTransport(result.connection), { retry: { attempts: 1 } });
  const end = await watchCompile(revision.isFresh ? revision.record?.compile : undefined, {
    clock: systemClock,
    limitMs,
    signal: new AbortController().signal,
    read: (signal) => readInto(revision, client, signal),
  });
  if (end === "settled") revision.settled();
  await revision.saved();
  const compile = revision.record?.compile;
  const isFine = end === "settled" ? compile?.state !== "failed" : end === "final" && compile?.state === "succeeded";
  return { result, compile, end, exit: isFine ? EXIT.fine : EXIT.failed };
}

function readInto(revision: RevisionKeeper, client: PlatformClient, signal: AbortSignal) {
  return readCompile(client, revision.identity.revision, signal, (seen) => {
    revision.read(seen);
    return revision.record?.compile;
  });
}

/** The compile results of linked files; the last known ones if the platform can't be read now. */
export async function revisionsOf(results: readonly SyncResult[]): Promise<ReadonlyMap<SyncResult, RevisionRecord>> {
  const records = new Map<SyncResult, RevisionRecord>();
  for (const result of results) {
    const { revision } = result;
    if (!revision) continue;
    await revision.load();
    if (!revision.isFresh) await readInto(revision, clientFor(result.connection), new AbortController().signal);
    if (revision.record) records.set(result, revision.record);
  }
  return records;
}

/** The shape that scripts rely on. */
export function compileJson(compile: CompileResult = compileResult({})): Record<string, unknown> {
  const { state, status, version, errors, warnings } = compile;
  return { state, status, version: version ?? null, errors, warnings };
}

/** What `status` says about a revision, below its state. */
export function revisionLines(record: RevisionRecord | undefined): string[] {
  if (!record) return [];
  return [
    ...compileLines(record.compile),
    ...(record.workflowEnabled === false ? ["The platform stores this flow, but doesn't execute it."] : []),
  ];
}

function compileLines({ state, status, version, errors, warnings, isOutdated }: CompileResult): string[] {
  const messages = [...errors, ...warnings.map((warning) => `warning: ${warning}`)];
  const of = version === undefined ? "" : ` version ${version}`;
  switch (state) {
    case "succeeded":
      return [`Compiled${of}.`, ...messages];
    case "running":
      return [`Compiling${of}…`];
    case "failed":
      return [
        errors.length === 0 ? "Compile failed." : `Compile failed: ${count(errors.length, "error")}`,
        ...messages,
      ];
    default:
      if (isOutdated) return [`Not compiled yet; the last compile was of${of || " an earlier version"}.`];
      return status === "" ? [] : [`Compile status: ${status}`, ...messages];
  }
}

export function waitLines({ compile, end }: Wait): string[] {
  const lines = compile ? compileLines(compile) : [];
  if (end === "timed-out") return [...lines, "The compile didn't finish in time."];
  if (end === "unavailable") return [...lines, "The platform doesn't show the result of the compile."];
  return lines;
}
