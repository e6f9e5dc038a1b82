/**
 * The sync session of one flow. It receives saves and requests, runs one attempt after the other in a loop
 * (attempt.ts), and reports its state. This file manages the lock with its heartbeat, the journal, and the waits
 * between attempts.
 */
import { type Conflict, type ElementRef, type Graph, type Plan, type Side, sameGraph } from "../flow";
import { Attempt } from "./attempt";
import type { Memory, SyncRequest } from "./attempt-context";
import { type Cause, Consent } from "./consent";
import { type Later, stoppedBy } from "./ends";
import type { Identity, SyncEnvironment } from "./environment";
import type { SyncHost, Target } from "./host";
import { fileNameOf, fingerprint, Journal, Overtaken } from "./journal/journal";
import { Lock, RENEW_EVERY_MS } from "./journal/lock";
import type { Known } from "./journal/record";
import { Allowance, Retry, Tries } from "./limits";
import { notKept } from "./normal-form/normal-form";
import { plannedPush } from "./plans";
import { view } from "./reconcile";
import { Observer, PROBE_PREFIX } from "./remote/observe";
import { heldBy, notCompared, tooManyRequests } from "./sentences";
import { conflictKey, pending, type Status, type SyncState, withDecided } from "./state";

/** The reason of every abort; without one, each abort would create an error with a stack. */
const ABORT_REASON = "no longer needed";

export class SyncSession {
  readonly #consent: Consent;
  readonly #observer: Observer;
  readonly #lock: Lock;
  readonly #retry: Retry;
  /** Limits retries caused by reports that the connection works, because our own requests may cause those reports. */
  readonly #tries: Tries;
  /** The connection was reported to work during an attempt. */
  #isConnectionRestored = false;
  readonly #memory: Memory = { choices: new Map(), allowance: new Allowance() };
  #journal: Journal | undefined;
  #lastBase: Known | undefined;
  /** The base before another process moved it: the ancestor of an open text that wasn't reloaded since. */
  #before: Known | undefined;
  #setAside: string | undefined;
  #state: SyncState = { kind: "unlinked", reason: "unread", message: notCompared() };
  /** The conflicts last shown, and those that were decided before; empty once all are resolved. */
  #conflicts: readonly Conflict[] = [];
  /** Requests that haven't started yet. */
  #requested = new Set<SyncRequest>();
  #running: Promise<void> | undefined;
  #beat: Promise<void> | undefined;
  #again = false;
  #attended = true;
  #risksSeen = false;
  /** Aborted to retry immediately. */
  #waiting = new AbortController();
  readonly #closing = new AbortController();
  /** Aborted when the session is closed. */
  readonly closed = this.#closing.signal;

  constructor(
    readonly identity: Identity,
    private readonly environment: SyncEnvironment,
    private readonly host: SyncHost,
    label: string,
  ) {
    const token = Math.floor(environment.random() * 2 ** 48).toString(36) + environment.clock.now().toString(36);
    this.#observer = new Observer(environment, `${PROBE_PREFIX}${token}`);
    this.#lock = new Lock(environment, `${fileNameOf(identity)}.lock`, { label, token, process: environment.process });
    this.#retry = new Retry(environment.random);
    this.#tries = new Tries(environment.clock);
    this.#consent = new Consent((question, signal) => host.confirm(question, signal), environment.clock, host.expects);
  }

  get status(): Status {
    const { risks = [], confirmed } = this.#journal?.record ?? {};
    const isConfirmed = this.host.files().some((name) => name === confirmed);
    return { state: this.#state, risks, setAside: this.#setAside, isConfirmed, hasBase: !!this.#journal?.record.base };
  }

  /** The graph that file and platform last agreed on, as the file writes it. */
  get base(): Known | undefined {
    const base = this.#journal?.record.base;
    return base && { ...base, graph: view(base) };
  }

  /** The graph last seen on the platform, as the platform stores it. */
  get remote(): Known | undefined {
    return this.#journal?.record.remote ?? this.#journal?.record.base;
  }

  /** The graph last seen on the platform as a file with this graph would write it: what a push would start from. */
  remoteFor(graph: Graph): Graph | undefined {
    const { remote } = this;
    return remote && view(remote, graph);
  }

  /** What the platform doesn't keep of the file: fields it doesn't store, and nodes whose edges it reorders. */
  get notKept(): readonly ElementRef[] {
    const { target } = this.#memory;
    return target && this.remote ? notKept(this.remote.pairs ?? [], target.graph) : [];
  }

  /** The journal's content, for the user. */
  get journalText(): string | undefined {
    return this.#journal?.text;
  }

  /** What a push would send: the difference from the last known platform graph, after merging its changes. */
  get plan(): Plan | undefined {
    const { target } = this.#memory;
    return target && this.#journal && plannedPush(this.#journal.record, target);
  }

  /**
   * The file was saved, or changed on disk. Returns at once; only the newest target counts. With the causes `autosave`
   * and `manual` it stays pending until a push. `isBehind`: the editor hadn't reloaded another program's changes, so
   * what that program synced is merged as a platform change.
   */
  save(target: Target, cause: Cause = "save", isBehind = false): void {
    if (isBehind && this.#before) this.#memory.ancestor ??= this.#before;
    else if (cause === "save" || cause === "autosave") this.#before = undefined;
    const before = this.#memory.target;
    const changed = !before || !sameGraph(before.graph, target.graph);
    this.#memory.target = target;
    this.#consent.targetChanged(cause, changed);
    const isRetry = cause === "save" && this.#memory.refusal?.notTaken !== undefined;
    if (changed || isRetry) delete this.#memory.refusal;
    // The synced state applied to the previous content only.
    if (changed && this.#state.kind === "synced") this.#show({ kind: "syncing", batch: 0, batches: 0 });
    if (cause === "save") this.#refill();
    else if (cause === "autosave" && changed) this.#memory.allowance.refill();
    this.#start();
  }

  /** Sends all changes, whatever they were waiting for; resolves when there is nothing more to do for now. */
  async push(): Promise<Status> {
    this.#consent.allow();
    this.#refill();
    delete this.#memory.refusal;
    return this.#request("push");
  }

  /** Merges the platform's graph, with its defaults, into the file, and sends nothing. */
  async pull(): Promise<Status> {
    this.#refill();
    return this.#request("pull");
  }

  /** Checks whether the platform has changed. It only reads, but a queued save is sent along with it. */
  async look(): Promise<Status> {
    return this.#request("look");
  }

  /**
   * Decides conflicts by their keys, or changes a decision while others are open. A decision is for two values, so it is
   * also valid if the conflict is no longer shown.
   */
  async resolve(choices: ReadonlyMap<string, Side>): Promise<Status> {
    for (const conflict of this.#conflicts) {
      const side = choices.get(conflict.key);
      if (side) this.#memory.choices.set(conflictKey(conflict), side);
    }
    this.#refill();
    return this.#request("push");
  }

  /** Whether the file is open. Otherwise the lock is held only while there is something to do. */
  attend(yes: boolean): void {
    this.#attended = yes;
    this.#run();
  }

  /** The next save asks again after a declined or cancelled push. */
  askAgain(): void {
    this.#consent.allow();
  }

  /** The outside change was the editor's own save. */
  endPause(): void {
    this.#consent.endPause();
  }

  /** The connection is back, or the user signed in. Rate-limited unless the user saved or pushed. */
  retryNow(): void {
    if (this.#running) {
      this.#isConnectionRestored = true;
      return;
    }
    const waits =
      this.#state.kind === "unauthorized" || this.#state.kind === "pending" || this.#state.kind === "unlinked";
    if (!waits || !this.#tries.take()) return;
    this.#retry.reset();
    this.#start();
  }

  /** Stops before the next batch; the next save or push continues. */
  cancel(): void {
    this.#consent.cancel();
    this.#start();
  }

  /** The user has seen the overwrite warnings. */
  async acknowledgeRisks(): Promise<void> {
    this.#risksSeen = true;
    if (this.#lock.held) await this.#forgetRisks();
    else await this.#request("look");
    this.#risksSeen = false;
    this.#show(this.#state);
  }

  /** Resolves when the loop is idle. */
  async settled(): Promise<Status> {
    while (this.#running) await this.#running;
    return this.status;
  }

  /** Releases the flow. A batch in flight is found in the journal by the next session. */
  async close(): Promise<void> {
    this.#closing.abort(ABORT_REASON);
    this.#waiting.abort(ABORT_REASON);
    this.#consent.withdraw();
    while (this.#running) await this.#running;
    await this.#lock.release();
  }

  /** There are changes that are sent automatically as soon as possible. */
  get #triesAgain(): boolean {
    const { wanted, inFlight } = this.#journal?.record ?? {};
    const waits = this.#state.kind === "pending" && this.#state.retryAt !== undefined;
    return waits && (wanted !== undefined || inFlight !== undefined);
  }

  #request(request: SyncRequest): Promise<Status> {
    this.#requested.add(request);
    this.#start();
    return this.settled();
  }

  #start(): void {
    this.#again = true;
    this.#waiting.abort(ABORT_REASON);
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#loop().finally(() => {
      this.#running = undefined;
      if (this.closed.aborted) return;
      if (this.#again) this.#start();
      else if (this.#isConnectionRestored) this.retryNow();
    });
  }

  /** Runs until there is nothing to do; disk errors are reported and retried later. */
  async #loop(): Promise<void> {
    // A save and a push in the same tick are one attempt: a second attempt would send again what the first is still
    // sending.
    await undefined;
    try {
      while (this.#again && !this.closed.aborted) {
        this.#again = false;
        this.#isConnectionRestored = false;
        this.#waiting = new AbortController();
        const requests = this.#requested;
        this.#requested = new Set();
        const state = await this.#attempt(requests);
        // A request or save in the meantime makes this state outdated.
        if (state && !this.#again) this.#show(state);
      }
      if (!this.#attended && !this.#triesAgain) await this.#lock.release();
    } catch (error) {
      this.#again ||= error instanceof Overtaken;
      if (error instanceof Overtaken) return;
      this.host.failed?.(error);
      this.#show(this.#tryAgain({ kind: "later", reason: "offline", message: stoppedBy(error) }, "disk"));
    }
  }

  async #attempt(requests: ReadonlySet<SyncRequest>): Promise<SyncState | undefined> {
    const held = await this.#hold(requests.has("push") || requests.has("pull"));
    if (held) return held;
    if (this.#risksSeen) await this.#forgetRisks();
    const attempt = new Attempt(
      {
        environment: this.environment,
        host: this.host,
        consent: this.#consent,
        observer: this.#observer,
        memory: this.#memory,
        journal: this.#journal as Journal,
        closing: this.closed,
        show: (state) => this.#show(state),
        hold: () => this.#holdOn(),
        progressed: () => {
          this.#retry.reset();
          this.#tries.refill();
        },
      },
      requests,
    );
    const end = await attempt.run();
    if (end?.kind === "synced") this.#retry.reset();
    if (end?.kind !== "later") return end;
    await this.#keepWanted();
    return this.#tryAgain(end, end.reason);
  }

  /** Records the saved graph, so unsent changes are sent after a restart. */
  async #keepWanted(): Promise<void> {
    const { target } = this.#memory;
    if (!target || !this.#consent.isWanted) return;
    const wanted = fingerprint(target.graph);
    if (this.#journal?.record.wanted !== wanted) await this.#journal?.update({ wanted });
  }

  /** Schedules a retry; a save or a push ends the wait early. */
  #tryAgain({ message, retryAfterMs }: Later, reason: Later["reason"] | "disk"): SyncState {
    if (this.#memory.allowance.isUsedUp) return pending(reason === "offline" ? "busy" : reason, tooManyRequests());
    if (reason === "site") return pending(reason, message);
    const wait = this.#retry.next(retryAfterMs);
    this.#tryAgainIn(wait);
    return pending(reason, message, undefined, this.environment.clock.now() + wait);
  }

  /** The user asked for it, so earlier tries don't count. */
  #refill(): void {
    this.#tries.refill();
    this.#memory.allowance.refill();
  }

  #tryAgainIn(ms: number): void {
    const { signal } = this.#waiting;
    void this.environment.clock.sleep(ms, signal).then(() => signal.aborted || this.#start());
  }

  /**
   * Acquires the lock and loads the journal; otherwise returns the state that names the holder. An urgent caller
   * requests a handover.
   */
  async #hold(isUrgent = false): Promise<SyncState | undefined> {
    if (this.#lock.held && this.#journal && (await this.#lock.renew())) return undefined;
    this.#lastBase = this.#journal?.record.base ?? this.#lastBase;
    this.#journal = undefined;
    let other = await this.#lock.take();
    if (other && isUrgent) {
      this.#show({ kind: "syncing", batch: 0, batches: 0 });
      other = await this.#lock.takeOver(this.closed);
    }
    if (other) {
      this.#tryAgainIn(RENEW_EVERY_MS);
      return pending("held", heldBy(other.label));
    }
    const { storage, clock } = this.environment;
    const { journal, setAside } = await Journal.open(storage, this.identity, clock, () => this.#lock.stillHeld());
    this.#journal = journal;
    this.#overtakenBy(journal.record.base);
    this.#setAside = setAside ?? this.#setAside;
    this.#beat ??= this.#heartbeat().finally(() => {
      this.#beat = undefined;
    });
    return undefined;
  }

  /** Another process may have synced the flow since this one last held the lock; its changes aren't in our target. */
  #overtakenBy(base: Known | undefined): void {
    const before = this.#lastBase;
    if (!before || !base || sameGraph(before.graph, base.graph)) return;
    this.#memory.ancestor ??= before;
    this.#before ??= before;
  }

  /** The same during an attempt, which relies on the journal it started with. */
  async #holdOn(): Promise<SyncState | "moved" | undefined> {
    const journal = this.#journal;
    const lost = await this.#hold();
    if (lost || this.#journal === journal) return lost;
    this.#again = true;
    return "moved";
  }

  async #heartbeat(): Promise<void> {
    while (this.#lock.held && !this.closed.aborted) {
      await this.environment.clock.sleep(RENEW_EVERY_MS, this.closed);
      // The next attempt renews the lock first, and reports a disk that can't be written.
      if (!this.closed.aborted) await this.#lock.renew().catch(() => false);
      // The next attempt reports the new holder of the lock.
      if (!this.#running && (await this.#lock.handOver().catch(() => false))) this.#start();
    }
  }

  async #forgetRisks(): Promise<void> {
    await this.#journal?.update({ risks: [] });
  }

  #show(state: SyncState): void {
    this.#state = state;
    if (state.kind === "conflict")
      this.#conflicts = withDecided(state.conflicts, this.#conflicts, this.#memory.choices);
    else if (state.kind === "synced") this.#conflicts = [];
    this.host.statusChanged(this.status);
  }
}
