/**
 * One attempt to sync a file with the platform: it reads, merges and sends as often as needed, within a budget. It ends in
 * a state, or in a retry that the session schedules. reconcile.ts decides what a graph read from the platform means; this
 * file makes the requests and acts on the decision. The invariants:
 *
 * - The base is the common ancestor of file and platform. It moves only when the platform was seen to have the result of
 *   a batch, or when the file has everything the platform has.
 * - A batch is flushed to the journal before it is sent. It leaves the journal only after the platform was read, so a
 *   batch with an unknown outcome (no answer, a crash, an unexpected answer) is never followed by another one blindly.
 * - Platform changes are merged into the file before anything is sent. So a push is always the difference between the
 *   graph last seen on the platform and the file.
 *
 * These rules rely only on the platform's graph: whether it rejects, applies or ignores a batch made for another version
 * shows in the next graph.
 */
import { type Conflict, type Plan, type PlannedOp, plan, sameGraph } from "../flow";
import type { AttemptContext, SyncRequest } from "./attempt-context";
import {
  answerOf,
  behind,
  type End,
  isWhole,
  later,
  needsNone,
  notDone,
  notSaved,
  refusalWords,
  replacesOther,
  unclear,
  unseen,
  waitsAfter,
} from "./ends";
import type { Remote, SendOutcome } from "./environment";
import { errorsBeyond, refreshed, type Target } from "./host";
import { fingerprint } from "./journal/journal";
import type { JournalRecord, Known } from "./journal/record";
import { Allowance, Budget } from "./limits";
import { withPlatformIds } from "./normal-form/edge-names";
import { adopt, asWritten, hasAdditions } from "./normal-form/normal-form";
import { mergingOf, planFrom } from "./plans";
import { LATE_MS, view } from "./reconcile";
import { Looking } from "./remote/looking";
import * as say from "./sentences";
import { conflictKey, type SyncState } from "./state";

/** How many times the platform may change while a plan is sent before the attempt backs off. */
const ROUNDS = 12;

export class Attempt {
  readonly #budget: Budget;
  readonly #remote: Remote;
  readonly #looking: Looking;
  /** Whether the platform applied a batch in this attempt: further findings in its answers belong to the same save. */
  #hasSent = false;
  /** Whether the platform silently skipped a batch in this attempt. */
  #wasPassedOver = false;
  /** The platform's graph, kept while changes synced by another process are merged into the file. */
  #next: Known | undefined;

  constructor(
    private readonly at: AttemptContext,
    private readonly requested: ReadonlySet<SyncRequest>,
  ) {
    const { environment, closing, memory } = at;
    // Reading is always allowed, even when a save has used up its requests.
    const isLook = requested.has("look") && memory.allowance.isUsedUp;
    this.#remote = (isLook ? new Allowance() : memory.allowance).limit(environment.remote);
    this.#budget = new Budget(environment, closing, () =>
      at.show({ kind: "syncing", batch: 0, batches: 0, waiting: true }),
    );
    this.#looking = new Looking(at, this.#budget, this.#remote, () => this.#isWanted(memory.target as Target));
  }

  /** Returns how the attempt ended; undefined if there is a newer target or the session was closed. */
  async run(): Promise<End | undefined> {
    const { target } = this.at.memory;
    if (!target) return undefined;
    const errors = target.errors ? await this.#errorsOf(target) : 0;
    if (errors) return { kind: "blocked", reason: "local-errors", errors, message: say.errorsInFile(errors) };
    if (!(await this.#isCurrent(target))) return undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const end = await this.#round();
      if (this.at.closing.aborted) return undefined;
      if (end) return end;
    }
    return { kind: "later", reason: "moving", message: say.keepsChanging() };
  }

  /** Whether a target still matches the file on disk; if not, the session has a new target and runs another attempt. */
  async #isCurrent(target: Target): Promise<boolean> {
    const { host, memory, closing } = this.at;
    await refreshed(host, closing);
    return memory.target === target && !closing.aborted;
  }

  /** The errors that prevent a push (host.ts). They don't prevent a pull. */
  async #errorsOf(target: Target): Promise<number> {
    if (target.errorsBeyond && this.requested.has("pull")) return 0;
    const held = () => this.#record.base ?? this.#record.remote;
    if (target.errorsBeyond && !held()) await this.#looking.look("unknown", this.requested.has("push"));
    return errorsBeyond(target, held());
  }

  get #record(): JournalRecord {
    return this.at.journal.record;
  }

  get #onlyLooks(): boolean {
    return this.requested.has("look") && !this.requested.has("push") && !this.requested.has("pull");
  }

  /**
   * Whether the user wants this flow pushed or pulled, so the file may be written and an empty batch may be sent to
   * read the graph.
   */
  #isWanted({ graph }: Target): boolean {
    return this.requested.has("push") || this.requested.has("pull") || this.at.consent.wants(graph, this.#record);
  }

  /** Reads, merges and sends as needed. Returns how the attempt ends; undefined if another round is needed. */
  async #round(): Promise<End | undefined> {
    const { memory } = this.at;
    const target = memory.target as Target;
    const { base, inFlight } = this.#record;
    const pulling = this.requested.has("pull");
    if (!base || inFlight || (this.#looking.looked === "no" && this.requested.size > 0)) {
      const stopped = await this.#looking.look("unknown", !base || inFlight !== undefined || pulling);
      if (stopped) return stopped;
    }
    if (memory.target !== target) return undefined;
    const open = this.#record.inFlight?.unclear;
    if (open && (open.isAccepted || this.#onlyLooks)) return unclear(open);
    // The next save or push sends it again.
    if (open) this.at.journal.amend({ inFlight: undefined });
    this.#rebase();
    if (this.#record.remote || (pulling && hasAdditions(this.#record.base?.pairs ?? [], target.graph))) {
      const stopped = await this.#merge(target, pulling);
      if (stopped) return stopped;
      if (this.#next && !this.#record.remote) this.at.journal.amend({ remote: this.#next });
      if (this.#record.remote) return undefined;
    }
    const now = this.#record.base;
    if (!now || memory.target !== target) return undefined;
    return pulling ? this.#finish(now, memory.target as Target) : this.#send(now, target);
  }

  /**
   * Merges what another process synced into the target. The journal's base then has changes that this target was made
   * without; used as the base, they would be reverted. They are merged like platform changes, with the base that the
   * target was made from. The platform's current graph is merged afterwards: compared with the older base, a change
   * back to an earlier value would go unnoticed.
   */
  #rebase(): void {
    const { memory, journal } = this.at;
    const { base, remote } = this.#record;
    const { ancestor } = memory;
    delete memory.ancestor;
    this.#next = undefined;
    if (!ancestor || !base) return;
    this.#next = remote;
    journal.amend({ base: ancestor, remote: base });
  }

  /** Merges platform changes into the file. Returns undefined if merged or if the file changed in the meantime. */
  async #merge(target: Target, pulling: boolean): Promise<End | undefined> {
    const { memory, host, journal } = this.at;
    const { base } = this.#record;
    const remote = this.#record.remote ?? (base as Known);
    if (!base && !pulling) return this.#firstPush(remote, target);
    const choose = (conflict: Conflict) => memory.choices.get(conflictKey(conflict));
    const { merge, pairs } = mergingOf(base, remote, pulling, choose);
    const hasChanges = base === undefined || !sameGraph(view(base, target.graph), target.graph);
    const merged = merge(target.graph);
    const isSame = sameGraph(merged.graph, target.graph);
    if (merged.conflicts.length > 0) {
      const merges = plan(target.graph, merged.graph);
      return { kind: "conflict", version: remote.version, conflicts: merged.conflicts, merges };
    }
    const isAsked = (hasChanges || this.#hasSent) && this.#isWanted(target);
    if (!isSame && !pulling && !isAsked) return behind(plan(target.graph, merged.graph));
    if (!isSame) {
      this.at.show({ kind: "syncing", batch: 0, batches: 0 });
      const saved = await host.mergeIntoFile((current) => {
        const result = merge(current);
        return result.conflicts.length === 0 ? result.graph : undefined;
      });
      // A target saved during the wait is newer than the one the host returns.
      if (memory.target !== target) return undefined;
      // The file is complete if it equals the merge result, or if merging again would change nothing.
      const whole = saved && (sameGraph(saved.graph, merged.graph) || isWhole(merge(saved.graph), saved.graph));
      if (!whole) return notSaved(plan(target.graph, merged.graph));
      memory.target = saved;
    }
    memory.choices.clear();
    const file = (memory.target as Target).graph;
    await journal.update({ base: { ...remote, pairs: pairs(file) }, remote: undefined });
    return undefined;
  }

  /** Without a common ancestor a push replaces the platform's graph, so the user must confirm it. */
  async #firstPush(remote: Known, target: Target): Promise<End | undefined> {
    let { confirmed } = this.#record;
    const isFirstPush = !sameGraph(remote.graph, target.graph);
    if (isFirstPush) {
      const stopped = await this.#checkConsent(planFrom(remote.graph, target), target, false);
      if (stopped) return stopped === "changed" ? undefined : stopped;
      // The question may have been open for a while. The answer applies to the graph that was shown; ask again if it
      // changed.
      const unseen = this.#looking.looked === "no" ? await this.#looking.look("unknown", false) : undefined;
      if (unseen) return unseen;
      if (!sameGraph(this.#record.remote?.graph ?? remote.graph, remote.graph)) return undefined;
      confirmed = this.at.host.files()[0];
    }
    const base = this.#record.remote ?? remote;
    const further = { ...(confirmed ? { confirmed } : {}), ...(isFirstPush ? { isFirstPush } : {}) };
    await this.at.journal.update({ base, remote: undefined, ...further });
    return undefined;
  }

  /** Sends the difference, batch by batch. */
  async #send(base: Known, target: Target): Promise<End | undefined> {
    const { memory, consent, journal, closing, observer } = this.at;
    const pairs = adopt(base.pairs ?? [], target.graph);
    const wanted = planFrom(asWritten(base.graph, pairs), target);
    if (wanted.ops.length === 0) return this.#finish(base, target);
    const replaced = this.#record.changesIds ? replacesOther(wanted, base.graph) : undefined;
    if (replaced) return waitsAfter(replaced, wanted);
    const [file, ...earlier] = this.at.host.files();
    const { confirmed } = this.#record;
    const isConfirmed = [file, ...earlier].some((name) => name === confirmed);
    const stopped = await this.#checkConsent(wanted, target, isConfirmed);
    if (stopped) return stopped === "changed" ? undefined : stopped;
    if (file !== undefined && confirmed !== file) await journal.update({ confirmed: file });
    // A platform that doesn't check versions would let us overwrite changes that a read would have shown.
    if (this.#looking.looked !== "seen" && observer.canRead) return this.#looking.look("unknown", true);
    // Written to disk together with the first batch.
    journal.amend({ base: { ...base, pairs } });
    memory.allowance.allow(wanted.batches.length);
    for (const [index, batch] of wanted.batches.entries()) {
      if (consent.cancelled || memory.target !== target || closing.aborted) return undefined;
      const lost = await this.at.hold();
      if (lost) return lost === "moved" ? undefined : lost;
      const state: SyncState = { kind: "syncing", batch: index + 1, batches: wanted.batches.length };
      this.at.show(state);
      this.#budget.onWait = () => this.at.show({ ...state, waiting: true });
      const outcome = await this.#sendBatch(batch, target, index + 1 < wanted.batches.length);
      if (outcome !== "done") return outcome;
    }
    return undefined;
  }

  /** The pending state if a plan may not be sent now; "changed" if there is a newer target. */
  async #checkConsent(wanted: Plan, target: Target, confirmed: boolean): Promise<SyncState | "changed" | undefined> {
    const { memory, consent, closing } = this.at;
    const { refusal } = memory;
    if (refusal) return waitsAfter(refusal, wanted);
    const waits = consent.blockedReason(wanted, target.graph, this.#record);
    if (waits) return waits;
    // Nothing would withdraw the question.
    if (closing.aborted || memory.target !== target) return "changed";
    const answer = await consent.ask(wanted, confirmed, (state) => this.at.show(state));
    if (answer === undefined || memory.target !== target) return "changed";
    // The file or the platform may have changed while the question was open.
    if (answer === "agreed") {
      this.#looking.looked = "no";
      if (!(await this.#isCurrent(target))) return "changed";
    }
    return answer === "yes" || answer === "agreed" ? undefined : answer;
  }

  /** Sends one batch. "done": it was applied, and the next one fits the platform's graph. */
  async #sendBatch(
    batch: readonly PlannedOp[],
    target: Target,
    moreFollow: boolean,
  ): Promise<"done" | End | undefined> {
    const { journal, memory } = this.at;
    const { base, names } = this.#record;
    const baseVersion = base?.version as number;
    const ops = batch.map((planned) => planned.op);
    await journal.update({ inFlight: { ops, baseVersion }, wanted: fingerprint(target.graph) });
    const wire = withPlatformIds(ops, names, base?.graph);
    const answer = await this.#budget.ask(
      (signal) => this.#remote.send(wire, baseVersion, signal),
      (message): SendOutcome => ({ kind: "unknown", message }),
    );
    switch (answer.kind) {
      case "answered": {
        this.at.progressed();
        this.#budget.progressed();
        this.#hasSent = true;
        const { graph, version, updated } = answer;
        if (!graph) return this.#unclear(answer.unreadable ?? say.noGraph(), false, { given: version });
        const given = { given: version };
        const decision = await this.#looking.file({ graph, version }, 0, answerOf(updated), given, moreFollow);
        this.#looking.answered(answer.result);
        const refusal = notDone(decision, batch, memory.refusal);
        if (!refusal) return decision.applied && updated !== false ? "done" : undefined;
        // It may have been skipped because of its version, so it is sent once more with the new one.
        const isPassedOver = updated === false && version !== baseVersion && !this.#wasPassedOver;
        if (isPassedOver) this.#wasPassedOver = true;
        else memory.refusal = refusal;
        return !isPassedOver && decision.applied && needsNone(refusal, graph) ? "done" : undefined;
      }
      case "not-sent":
        await journal.update({ inFlight: undefined });
        return later(answer);
      case "refused": {
        // A rejected batch may have been delivered twice or made for an old version; a read tells. A version conflict
        // alone can't have overwritten anything.
        const failed = await this.#looking.look(answer.aboutVersion ? "passed-over" : "refused", true);
        if (failed) return failed;
        const { base, remote, enforces } = this.#record;
        const moved = (remote ?? base)?.version !== baseVersion;
        if (!moved) memory.refusal = { ...answer, message: refusalWords(answer), batch };
        else if (answer.aboutVersion && !enforces) await journal.update({ enforces: true });
        return undefined;
      }
      case "unclear":
        return this.#unclear(answer.why, answer.isAccepted);
      // The outcome is unknown; the batch stays in the journal until the platform has been read.
      case "unauthorized":
        return answer;
      default:
        return later(answer);
    }
  }

  /** The platform accepted the batch without reporting the result. One read decides, or the attempt ends. */
  async #unclear(
    why: string,
    isAccepted: boolean,
    changes: Partial<JournalRecord> = {},
  ): Promise<"done" | End | undefined> {
    const { journal, environment } = this.at;
    const { inFlight } = this.#record;
    const open = { why, isAccepted, until: environment.clock.now() + LATE_MS };
    await journal.update({ ...changes, ...(inFlight ? { inFlight: { ...inFlight, unclear: open } } : {}) });
    const stopped = await this.#looking.look("unknown", false);
    if (stopped) return stopped;
    if (this.#looking.looked === "hidden") return isAccepted ? unclear(open) : unseen({ kind: "unreadable", why });
    const { base, remote } = this.#record;
    if (!this.#record.inFlight) return remote ? undefined : "done";
    // If there are changes by others, they are merged first.
    return isAccepted || (remote ?? base)?.version === inFlight?.baseVersion ? unclear(open) : undefined;
  }

  async #finish(base: Known, target: Target): Promise<SyncState> {
    const { consent, memory, journal } = this.at;
    const open = planFrom(view(base, target.graph), target);
    if (open.ops.length > 0) return consent.unsent(open);
    consent.forget();
    if (this.#record.wanted !== undefined) await journal.update({ wanted: undefined, isFirstPush: undefined });
    if (this.#looking.looked === "hidden" && this.requested.size > 0 && memory.hidden === undefined)
      return { kind: "unknown", message: this.#looking.whyUnknown(base.version) };
    if (memory.hidden !== undefined && memory.hidden !== base.version) {
      const message = say.hiddenVersion(memory.hidden, base.version);
      return { kind: "diverged", reason: "not-taken-in", message };
    }
    return { kind: "synced", version: base.version };
  }
}
