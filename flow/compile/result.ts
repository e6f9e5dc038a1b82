/** What a workflow revision says about its compile. The platform compiles asynchronously, after it has stored a graph. */

export type CompileState = "running" | "succeeded" | "failed" | "unknown";

export interface CompileResult {
  /** Unknown also if the result belongs to an older version of the graph. */
  readonly state: CompileState;
  /** The status as the platform reports it; empty if it reports none. */
  readonly status: string;
  /** The version that was or is being compiled. */
  readonly version: number | undefined;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The result belongs to an older version, so a newer one may follow. */
  readonly isOutdated: boolean;
  /** It is outdated by its input hash alone, so it may be the result of a version that compiles to the same. */
  readonly isSameInput?: true;
  readonly inputHash?: string;
}

const STATES: ReadonlyMap<string, CompileState> = new Map(
  (
    [
      ["running", ["pending", "queued", "running", "processing", "compiling", "in_progress", "not_started"]],
      ["succeeded", ["succeeded", "success", "completed", "complete", "compiled", "done", "ready"]],
      ["failed", ["failed", "failure", "error", "errored", "invalid", "cancelled", "canceled", "timeout"]],
    ] as const
  ).flatMap(([state, words]) => words.map((word) => [normalized(word), state] as const)),
);

/** The status is free text, so case and separators don't count. */
export function compileState(status: string): CompileState {
  return STATES.get(normalized(status)) ?? "unknown";
}

function normalized(status: string): string {
  return status.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the compile has ended and its result belongs to the current version. */
export function isFinal({ state }: CompileResult): boolean {
  return state === "succeeded" || state === "failed";
}

/** Longer messages are cut: they are shown in lists. */
const MAX_MESSAGE_LENGTH = 5_000;

interface Revision {
  readonly graph_version?: unknown;
  readonly compilation_status?: unknown;
  readonly compilation_errors?: unknown;
  readonly compilation_input_hash?: unknown;
  readonly compiled_graph?: unknown;
  readonly warnings?: unknown;
}

/**
 * `before` is the result before a push. Where the compiled graph has no version, an equal input hash under a newer
 * version means that nothing was compiled since.
 */
export function compileResult(revision: Revision, before?: CompileResult): CompileResult {
  const status = typeof revision.compilation_status === "string" ? revision.compilation_status : "";
  const current = integer(revision.graph_version);
  const compiled = integer((revision.compiled_graph as { graph_version?: unknown } | null | undefined)?.graph_version);
  const inputHash = typeof revision.compilation_input_hash === "string" ? revision.compilation_input_hash : undefined;
  const state = compileState(status);
  const isRunning = state === "running";
  const isSameInput =
    compiled === undefined &&
    inputHash !== undefined &&
    inputHash === before?.inputHash &&
    isBelow(before.version, current);
  const isOutdated = !isRunning && (isSameInput || isBelow(compiled, current));
  const counts = !isRunning && !isOutdated;
  return {
    state: isOutdated ? "unknown" : state,
    status,
    version: isOutdated ? (compiled ?? before?.version) : current,
    errors: counts ? messages(revision.compilation_errors) : [],
    warnings: counts ? messages(revision.warnings) : [],
    isOutdated,
    ...(isOutdated && isSameInput && { isSameInput }),
    ...(inputHash !== undefined && { inputHash }),
  };
}

function isBelow(version: number | undefined, current: number | undefined): boolean {
  return version !== undefined && current !== undefined && version < current;
}

function integer(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

function messages(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((each): each is string => typeof each === "string" && each.trim() !== "")
    .map((each) => (each.length > MAX_MESSAGE_LENGTH ? `${each.slice(0, MAX_MESSAGE_LENGTH)}…` : each));
}
