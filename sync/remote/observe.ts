/**
 * Looking at the platform's graph. The way is the revision read. Where it is refused, or does not show the graph of its
 * newest version, the answer to a batch does: one that adds a context variable under a name nobody has and removes it
 * again changes nothing whatever the graph is, may be repeated at will, and is answered with the whole graph. It makes a
 * version all the same, so it is sent only for a push, a pull or a save that somebody wants: looking alone never writes.
 */
import type { GraphOp } from "../../flow";
import type { GraphResult } from "../../platform";
import type { Failure, Remote, SyncEnvironment } from "../environment";
import type { Known } from "../journal/journal";

export type Observation =
  /** `made`: how many versions the looking itself has made. `result`: the platform's word, where it gave one. */
  | { readonly kind: "seen"; readonly known: Known; readonly made: number; readonly result?: GraphResult }
  /** Reading does not show the graph; at best it tells which version it would be. */
  | {
      readonly kind: "hidden";
      readonly version?: number /** It is older than one that was seen before. */;
      readonly isOld?: boolean;
    }
  | { readonly kind: "unauthorized"; readonly message: string }
  | ({ readonly kind: "failed" } & Failure)
  /** The platform will not have this revision looked at: it does not know it, or not from this key. */
  | { readonly kind: "refused"; readonly message: string }
  /** It shows a graph, and not one that can be read. */
  | { readonly kind: "unreadable"; readonly why: string };

/** How long a compiled graph may take to appear before the platform is asked by a batch. */
const READS = 3;
const BETWEEN_READS_MS = 400;
/** A copy of the data that lags behind catches up: the waits before it is read again, all within the time of an attempt. */
const CATCHING_UP_MS = [500, 1_000, 2_000, 4_000, 8_000];

export class Observer {
  #canRead = true;

  constructor(
    private readonly world: Pick<SyncEnvironment, "clock">,
    private readonly probeName: string,
  ) {}

  /** Whether the platform showed versions by reading so far. */
  get canRead(): boolean {
    return this.#canRead;
  }

  /**
   * Sees what reading shows. A graph that was read counts, whatever its version says: a restored backup, or a counter that
   * doesn't move, shows other content under a version that is already known. Only where the read has no graph, the one that
   * is known under its version is taken.
   * A version below `atLeast` is older than what was seen before, so nothing is learned from it: it is read again after a while,
   * until it has caught up.
   */
  async read(
    remote: Remote,
    known: readonly (Known | undefined)[],
    signal?: AbortSignal,
    atLeast = Number.NEGATIVE_INFINITY,
  ): Promise<Observation> {
    let version: number | undefined;
    for (let i = 0, old = 0; i < READS && this.#canRead; i++) {
      if (i > 0) await this.world.clock.sleep(BETWEEN_READS_MS, signal);
      let read = await remote.read(signal);
      while (read.kind === "read" && read.version < atLeast) {
        const wait = CATCHING_UP_MS[old++];
        if (wait === undefined || signal?.aborted) return { kind: "hidden", version: read.version, isOld: true };
        await this.world.clock.sleep(wait, signal);
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
    return { kind: "hidden", ...(version === undefined ? {} : { version }) };
  }

  /** Sees the graph in the answer to a batch that changes nothing. */
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
