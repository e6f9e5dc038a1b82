/**
 * Reads the platform's graph. Usually by reading the revision. If that is denied, or doesn't return the graph of the
 * newest version, by a probe: a batch that adds a context variable with a unique name and removes it again. It changes
 * nothing, can be repeated, and is answered with the whole graph. It does make a version, so it is sent only for a
 * push, a pull or a wanted save: a read never writes.
 */
import type { GraphOp } from "../../flow";
import type { GraphResult } from "../../platform";
import type { Failure, Remote, SyncEnvironment } from "../environment";
import type { Known } from "../journal/record";

export type Observation =
  /** `made`: how many versions the read itself made. `result`: the platform's response, if there is one. */
  | { readonly kind: "seen"; readonly known: Known; readonly made: number; readonly result?: GraphResult }
  /** The read doesn't return the graph; at most its version. */
  | {
      readonly kind: "hidden";
      readonly version?: number /** It is older than one seen before. */;
      readonly isOld?: boolean;
    }
  | { readonly kind: "unauthorized"; readonly message: string }
  | ({ readonly kind: "failed" } & Failure)
  /** The platform denies access to this revision: it doesn't exist, or not for this key. */
  | { readonly kind: "refused"; readonly message: string }
  /** The platform returns a graph that can't be read. */
  | { readonly kind: "unreadable"; readonly why: string };

/** How many times to read until a compiled graph appears, before sending a probe. */
const READS = 3;
const BETWEEN_READS_MS = 400;
/** Delays before reading a lagging replica again, all within the time of an attempt. */
const CATCHING_UP_MS = [500, 1_000, 2_000, 4_000, 8_000];

/** The start of the name of a probe's variable, which no flow uses. */
export const PROBE_PREFIX = "assistant_flow_look_";

/** Whether a batch is a probe. With the name of a variable that exists, such a batch would remove it. */
export function isProbe(ops: readonly GraphOp[]): boolean {
  const [first, second] = ops;
  return (
    ops.length === 2 &&
    first?.op === "upsert_context_variable" &&
    second?.op === "remove_context_variable" &&
    first.variable.name === second.name &&
    second.name.startsWith(PROBE_PREFIX)
  );
}

export class Observer {
  #canRead = true;

  constructor(
    private readonly environment: Pick<SyncEnvironment, "clock">,
    private readonly probeName: string,
  ) {}

  /** Whether the platform has returned versions to reads so far. */
  get canRead(): boolean {
    return this.#canRead;
  }

  /**
   * Reads the revision. A graph in the answer counts whatever its version: a restored backup, or a counter that doesn't
   * move, has other content under a known version. Only if the answer has no graph, the known one of its version is
   * used. A version below `atLeast` is outdated and is read again after a delay, until it has caught up.
   */
  async read(
    remote: Remote,
    known: readonly (Known | undefined)[],
    signal?: AbortSignal,
    atLeast = Number.NEGATIVE_INFINITY,
  ): Promise<Observation> {
    let version: number | undefined;
    for (let i = 0, old = 0; i < READS && this.#canRead; i++) {
      if (i > 0) await this.environment.clock.sleep(BETWEEN_READS_MS, signal);
      let read = await remote.read(signal);
      while (read.kind === "read" && read.version < atLeast) {
        const wait = CATCHING_UP_MS[old++];
        if (wait === undefined || signal?.aborted) return { kind: "hidden", version: read.version, isOld: true };
        await this.environment.clock.sleep(wait, signal);
        read = await remote.read(signal);
      }
      if (read.kind === "unauthorized" || read.kind === "failed") return read;
      if (read.kind === "unavailable") {
        this.#canRead = false;
        break;
      }
      version = read.version;
      if (read.unreadable !== undefined) return { kind: "unreadable", why: read.unreadable };
      const graph = read.graph ?? known.find((each) => each?.version === version)?.graph;
      if (graph) return { kind: "seen", known: { graph, version }, made: 0 };
    }
    return { kind: "hidden", version };
  }

  /** Gets the graph from the answer to a batch that changes nothing. */
  async probe(remote: Remote, signal?: AbortSignal): Promise<Observation> {
    const ops: GraphOp[] = [
      { op: "upsert_context_variable", variable: { name: this.probeName } },
      { op: "remove_context_variable", name: this.probeName },
    ];
    const answer = await remote.send(ops, undefined, signal);
    if (answer.kind === "unauthorized" || answer.kind === "refused") return answer;
    if (answer.kind === "unclear") return { kind: "unreadable", why: answer.why };
    if (answer.kind === "unknown" || answer.kind === "not-sent") return { ...answer, kind: "failed" };
    if (!answer.graph) return { kind: "unreadable", why: answer.unreadable ?? "the response has none" };
    const { graph, version, updated, result } = answer;
    return { kind: "seen", known: { graph, version }, made: updated === false ? 0 : 1, result };
  }
}
