/** Reads the platform's graph within an attempt and records the result in the journal. */
import type { GraphResult } from "../../platform";
import type { AttemptContext } from "../attempt-context";
import { type End, noReading, unseen } from "../ends";
import type { Remote } from "../environment";
import type { JournalRecord, Known } from "../journal/record";
import type { Budget } from "../limits";
import { findingsWithFileIds, withFileIds } from "../normal-form/edge-names";
import { inKnownOrder, isReordered, orderDiffers } from "../normal-form/edge-order";
import { type Answer, awaited, type Decision, isAwaited, reconcile, view } from "../reconcile";
import * as say from "../sentences";
import type { Observation } from "./observe";

/**
 * How often a different order of edges is read again, because a shuffled order may be the same twice by chance. It is
 * read more often if the version is known, since a counted change by others is excluded there.
 */
const READS_OF_ORDER = { newVersion: 2, sameVersion: 6 };

export class Looking {
  /** Whether the platform's graph was seen in this attempt, or is hidden. */
  looked: "no" | "seen" | "hidden" = "no";
  /** The number of operations that the platform applied since a version was last reported to the host. */
  #applied = 0;

  constructor(
    private readonly at: AttemptContext,
    private readonly budget: Budget,
    private readonly remote: Remote,
    /** Whether the user wants this flow pushed or pulled, so that a batch may be sent to read the graph. */
    private readonly isWanted: () => boolean,
  ) {}

  get #record(): JournalRecord {
    return this.at.journal.record;
  }

  /**
   * Reads and records the platform's graph. `must`: if it is hidden, by a probe, for a push, a pull or a wanted save.
   */
  async look(answer: Answer, must: boolean): Promise<End | undefined> {
    const { observer, memory } = this.at;
    const { base, remote, given = 0 } = this.#record;
    // A lower version is from a lagging replica: treated as news it would revert later changes.
    const atLeast = Math.max(given, (remote ?? base)?.version ?? 0);
    const read = (signal: AbortSignal) => observer.read(this.remote, [remote, base], signal, atLeast);
    // A lagging replica was already waited for once; waiting again would use up the attempt.
    const lags = this.looked === "hidden" && memory.older !== undefined;
    let seen: Observation = lags
      ? { kind: "hidden", version: memory.older as number, isOld: true }
      : await this.budget.ask(read, noReading);
    let further: Partial<JournalRecord> = {};
    if (seen.kind === "hidden") {
      this.looked = "hidden";
      delete memory.hidden;
      delete memory.older;
      if (seen.version !== undefined) memory[seen.isOld ? "older" : "hidden"] = seen.version;
      if (!must) return undefined;
      if (!this.isWanted()) return { kind: "unknown", message: this.whyUnknown(atLeast) };
      seen = await this.budget.ask((signal) => observer.probe(this.remote, signal), noReading);
      // The answer to a batch is always the newest graph, even if versions really went back.
      if (seen.kind === "seen") further = { given: seen.known.version };
    }
    if (seen.kind !== "seen") return unseen(seen);
    if (!seen.result) {
      const { known, isShuffled } = await this.#inOrder(seen.known, read);
      seen = { ...seen, known };
      if (isShuffled) further = { ...further, isShuffled };
    }
    await this.file(seen.known, seen.made, answer, further);
    if (seen.result) this.answered(seen.result);
    return undefined;
  }

  /**
   * Whether a different order of edges comes from reading alone; if it may, the graph is read again, and the newest one
   * counts. A different order under a known version proves nothing, because not every platform counts every change.
   */
  async #inOrder(
    seen: Known,
    read: (signal: AbortSignal) => Promise<Observation>,
  ): Promise<{ readonly known: Known; readonly isShuffled: boolean }> {
    const { base, remote, isShuffled = false, inFlight } = this.#record;
    const last = remote ?? base;
    if (isShuffled || !last || inFlight) return { known: seen, isShuffled };
    const { graph } = withFileIds(seen.graph, this.#record, undefined);
    if (!orderDiffers(graph, last.graph)) return { known: seen, isShuffled };
    const isSameVersion = [remote, base].some((each) => isReordered({ ...seen, graph }, each));
    const reads = READS_OF_ORDER[isSameVersion ? "sameVersion" : "newVersion"];
    let known = seen;
    for (let i = 0; i < reads; i++) {
      const again = await this.budget.ask(read, noReading);
      if (again.kind !== "seen") break;
      const before = known;
      known = again.known;
      if (known.version !== before.version) break;
      if (orderDiffers(known.graph, before.graph)) return { known, isShuffled: true };
    }
    return { known, isShuffled };
  }

  /**
   * Records the graph, together with `further` changes of the journal. The version is reported to the host, unless
   * more batches follow: a push is one entry of the history.
   */
  async file(
    { graph: seen, version }: Known,
    made: number,
    answer: Answer,
    further: Partial<JournalRecord> = {},
    moreFollow = false,
  ): Promise<Decision> {
    const { memory, journal, environment } = this.at;
    const now = environment.clock.now();
    const { graph: shown, names } = withFileIds(seen, this.#record, memory.target?.graph);
    const isShuffled = further.isShuffled ?? this.#record.isShuffled;
    const graph = isShuffled ? inKnownOrder(shown, this.#record) : shown;
    const { inFlight } = this.#record;
    const decision = reconcile(this.#record, { graph, version, made }, answer, now);
    const waits = !decision.applied && isAwaited(this.#record, graph, now);
    await journal.update({ ...decision.change, names, ...further, ...(waits ? awaited(this.#record) : {}) });
    this.looked = "seen";
    delete memory.hidden;
    delete memory.older;
    const known = this.#record.remote ?? this.#record.base;
    if (decision.applied) this.#applied += inFlight?.ops.length ?? 0;
    if (known?.version !== version || (moreFollow && decision.applied)) return decision;
    const operations = this.#applied;
    this.#applied = 0;
    const by = operations > 0 ? "push" : "platform";
    this.at.host.seen?.({ graph: view(known, memory.target?.graph), version, by, operations });
    return decision;
  }

  /** Reports the platform's findings with the file's IDs. */
  answered(result: GraphResult): void {
    this.at.host.answered?.(findingsWithFileIds(result, this.#record.names));
  }

  /** Why the platform's version is unknown. `known`: the newest version seen. */
  whyUnknown(known: number): string {
    const { older } = this.at.memory;
    if (older !== undefined) return say.olderVersion(older, known);
    return this.#record.base ? say.cannotTell(known) : say.versionUnknown();
  }
}
