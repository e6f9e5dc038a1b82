/**
 * Looking at the platform's graph. The way is the revision read. Where it is refused, or does not show the graph of its
 * newest version, the answer to a batch does: one that adds a context variable under a name nobody has and removes it
 * again changes nothing whatever the graph is, may be repeated at will, and is answered with the whole graph. It makes a
 * version all the same, so a mere glance does without.
 */
import type { Graph, GraphOp } from "../flow";
import type { GraphResult } from "../platform";
import type { Known } from "./journal";
import type { World } from "./world";

export type Observation =
  /** `made`: how many versions the looking itself has made. `result`: the platform's word, where it gave one. */
  | { readonly kind: "seen"; readonly known: Known; readonly made: number; readonly result?: GraphResult }
  | { readonly kind: "unauthorized"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string; readonly retryAfterMs?: number }
  /** The platform will not have this revision looked at: it does not know it, or not from this key. */
  | { readonly kind: "refused"; readonly message: string };

/** Reading does not show the graph; at best it tells which version it would be. */
export interface Hidden {
  readonly kind: "hidden";
  readonly version?: number;
}

/** How long a compiled graph may take to appear before the platform is asked by a batch. */
const READS = 3;
const BETWEEN_READS_MS = 400;

export class Observer {
  #canRead = true;

  constructor(
    private readonly world: Pick<World, "remote" | "clock">,
    private readonly probeName: string,
  ) {}

  /** Whether the platform showed versions by reading so far. */
  get canRead(): boolean {
    return this.#canRead;
  }

  /** Sees the graph, by a batch where reading does not show it. */
  async look(known: readonly (Known | undefined)[], signal?: AbortSignal): Promise<Observation> {
    const seen = await this.glance(known, signal);
    return seen.kind === "hidden" ? this.#probe(signal) : seen;
  }

  /**
   * Sees what reading shows. The graph under a version that is already known needs not be seen again: a change makes a
   * new version.
   */
  async glance(known: readonly (Known | undefined)[], signal?: AbortSignal): Promise<Observation | Hidden> {
    let version: number | undefined;
    for (let i = 0; i < READS && this.#canRead; i++) {
      if (i > 0) await this.world.clock.sleep(BETWEEN_READS_MS, signal);
      const read = await this.world.remote.read(signal);
      if (read.kind === "unauthorized" || read.kind === "failed") return read;
      if (read.kind === "unavailable") {
        this.#canRead = false;
        break;
      }
      const same = known.find((each) => each?.version === read.version);
      const graph: Graph | undefined = same?.graph ?? read.graph;
      version = read.version;
      if (graph) return { kind: "seen", known: { graph, version: read.version }, made: 0 };
    }
    return { kind: "hidden", ...(version === undefined ? {} : { version }) };
  }

  async #probe(signal?: AbortSignal): Promise<Observation> {
    const ops: GraphOp[] = [
      { op: "upsert_context_variable", variable: { name: this.probeName } },
      { op: "remove_context_variable", name: this.probeName },
    ];
    const answer = await this.world.remote.send(ops, undefined, signal);
    if (answer.kind === "unauthorized") return answer;
    if (answer.kind === "unknown" || answer.kind === "not-sent") return { ...answer, kind: "failed" };
    if (answer.kind === "refused") return answer;
    if (!answer.graph) return { kind: "failed", message: "The platform's answer does not show the graph." };
    return { kind: "seen", known: { graph: answer.graph, version: answer.version }, made: 1, result: answer.result };
  }
}
