/**
 * How a saved flow becomes the platform's truth. One FlowSync is one flow: it is told of saves and wishes, works in a
 * loop of its own, and says where it stands. Nothing here is ever sent on a guess:
 *
 * - The base is the common ancestor of file and platform. It moves only when the platform was seen to have exactly what
 *   was meant, or when the file was seen to hold everything the platform has.
 * - A batch is in the journal, flushed, before it is sent. It leaves the journal only after somebody has looked, so a
 *   batch whose outcome is unknown (no answer, a crash, a strange answer) is never followed by another one unseen.
 * - What the platform has that the file has not is first merged into the file; only then is anything sent. So what is
 *   sent is always the difference between what was last seen there and what the file says.
 *
 * These rules need nothing of the platform but its graph: whether it refuses, applies or ignores a batch that was made
 * for another version shows in the next graph that is seen.
 */
import {
  applyOps,
  type Conflict,
  emptyGraph,
  type Graph,
  type Merge,
  mergeGraphs,
  type Plan,
  type PlannedOp,
  plan,
  type Side,
  sameGraph,
} from "../flow";
import type { GraphResult } from "../platform";
import { type Cause, type Confirm, Consent } from "./consent";
import { fileNameOf, fingerprint, Journal, type JournalRecord, type Known } from "./journal";
import { Lock, RENEW_EVERY_MS } from "./lock";
import { type Observation, Observer } from "./observe";
import { Retry } from "./retry";
import { pending, type Status, type SyncState } from "./state";
import type { Identity, Refusal, SendOutcome, World } from "./world";

/** What a saved file says. */
export interface Target {
  readonly graph: Graph;
  /** How many local errors keep it from being sent. */
  readonly errors?: number;
  /** The plan from a graph to this one; the default has no places in the file. */
  readonly planFrom?: (from: Graph) => Plan;
}

/** The file and the person behind it. */
export interface SyncHost {
  /** The names of the file: the present one, then earlier ones whose move was seen. Consent is given to a file. */
  files(): readonly string[];
  /**
   * Makes the file say what `merge` makes of what it says now, unsaved text included, and saves it where nothing else
   * was unsaved. Returns what the saved file says then, or undefined where it could not be saved now.
   */
  mergeIntoFile(merge: (current: Graph) => Graph | undefined): Promise<Target | undefined>;
  readonly confirm: Confirm;
  statusChanged(status: Status): void;
  /** The platform's word on a batch, for its findings. */
  answered?(result: GraphResult): void;
}

/** The reason of every abort; without one an error with a stack would be made each time. */
const ENOUGH = "no longer needed";

type Wish = "push" | "pull" | "look" | "glance";

/** So long a batch without an answer may still be on its way. */
const LATE_MS = 5 * 60_000;
/** So many times the platform may move under a plan before we wait a while. */
const PATIENCE = 12;

export class FlowSync {
  readonly #consent: Consent;
  readonly #observer: Observer;
  readonly #lock: Lock;
  readonly #retry: Retry;
  #journal: Journal | undefined;
  #setAside: string | undefined;
  #target: Target | undefined;
  #state: SyncState = { kind: "unlinked", message: "Nothing was compared with the platform yet." };
  /** What was asked for and not begun, and what the present attempt is for. */
  #wishes = new Set<Wish>();
  #serving: ReadonlySet<Wish> = new Set();
  /** Whether the platform's graph was seen in the present attempt. */
  #fresh = false;
  #glanced = false;
  /** The platform said that it has this version, and did not show it. */
  #hidden: number | undefined;
  #refusal: (Refusal & { readonly batch: readonly PlannedOp[] }) | undefined;
  /** Decisions, each for the two values it was made between. */
  #choices = new Map<string, Side>();
  #running: Promise<void> | undefined;
  #beat: Promise<void> | undefined;
  #again = false;
  #attended = true;
  #risksSeen = false;
  /** Aborted by whatever makes it worth to try at once. */
  #waiting = new AbortController();
  readonly #closing = new AbortController();

  constructor(
    readonly identity: Identity,
    private readonly world: World,
    private readonly host: SyncHost,
    label: string,
  ) {
    const token = Math.floor(world.random() * 2 ** 48).toString(36) + world.clock.now().toString(36);
    this.#observer = new Observer(world, `assistant_flow_look_${token}`);
    this.#lock = new Lock(world, `${fileNameOf(identity)}.lock`, { label, token, process: world.process });
    this.#retry = new Retry(world.random);
    this.#consent = new Consent((question, signal) => host.confirm(question, signal));
  }

  get status(): Status {
    const { risks = [] } = this.#journal?.record ?? {};
    return { state: this.#state, risks, ...(this.#setAside === undefined ? {} : { setAside: this.#setAside }) };
  }

  /** The graph that file and platform last agreed on. */
  get base(): Known | undefined {
    return this.#journal?.record.base;
  }

  /** The graph last seen on the platform. */
  get remote(): Known | undefined {
    return this.#journal?.record.remote ?? this.base;
  }

  /** What would be known of this flow after a crash, for people. */
  get journalText(): string | undefined {
    return this.#journal?.text;
  }

  /** What a push would send, as far as is known. */
  get plan(): Plan | undefined {
    const from = this.remote?.graph;
    return from && this.#target && this.#planFrom(from, this.#target);
  }

  /** The file was saved, or changed on disk. Returns at once; the newest target is the one that counts. */
  save(target: Target, cause: Cause = "save"): void {
    const changed = !this.#target || !sameGraph(this.#target.graph, target.graph);
    this.#target = target;
    this.#consent.told(cause, changed);
    if (changed) {
      this.#refusal = undefined;
      this.#noLongerSynced();
    }
    this.#start();
  }

  /** Sends what there is, whatever kept it waiting; resolves when there is nothing more to do for now. */
  async push(): Promise<Status> {
    this.#consent.allow();
    this.#refusal = undefined;
    return this.#wish("push");
  }

  /** Takes what the platform has into the file, and sends nothing. */
  async pull(): Promise<Status> {
    return this.#wish("pull");
  }

  /** Looks whether the platform has moved; where reading does not tell, a batch that changes nothing does. */
  async look(): Promise<Status> {
    return this.#wish("look");
  }

  /**
   * Looks whether the platform has moved as far as reading tells. Where it does not, what was last seen stands: nothing
   * is sent for it, unless nothing was ever seen or a batch is out of which nobody knows what became of it.
   */
  async glance(): Promise<Status> {
    return this.#wish("glance");
  }

  /** Decides conflicts by their keys. A decision holds for the two values it was made between. */
  async resolve(choices: ReadonlyMap<string, Side>): Promise<Status> {
    if (this.#state.kind === "conflict")
      for (const conflict of this.#state.conflicts) {
        const side = choices.get(conflict.key);
        if (side) this.#choices.set(matterOf(conflict), side);
      }
    return this.#wish("push");
  }

  /** Whether somebody has the file open. Else the lock is held only while there is something to do. */
  attend(yes: boolean): void {
    this.#attended = yes;
    this.#run();
  }

  /** A no or a stop does not hold for the next save. */
  askAgain(): void {
    this.#consent.allow();
  }

  /** What was told as a change from outside was its editor's save. */
  endPause(): void {
    this.#consent.endPause();
  }

  /** The connection is back, or somebody signed in. */
  retryNow(): void {
    this.#retry.reset();
    this.#start();
  }

  /** Stops before the next batch; the next save or push goes on. */
  cancel(): void {
    this.#consent.cancel();
    this.#start();
  }

  /** Somebody has seen the risks. */
  async acknowledgeRisks(): Promise<void> {
    this.#risksSeen = true;
    if (this.#lock.held) await this.#forgetRisks();
    else await this.#wish("look");
    this.#risksSeen = false;
    this.#show(this.#state);
  }

  /** Resolves when the loop rests. */
  async settled(): Promise<Status> {
    while (this.#running) await this.#running;
    return this.status;
  }

  /** Lets go of the flow. A batch that is on its way is found in the journal by the next one who opens it. */
  async close(): Promise<void> {
    this.#closing.abort(ENOUGH);
    this.#waiting.abort(ENOUGH);
    this.#consent.withdraw();
    while (this.#running) await this.#running;
    await this.#lock.release();
  }

  /** There is something to send that goes out by itself once the platform can be reached. */
  get #triesAgain(): boolean {
    const { wanted, inFlight } = this.#record;
    const isOffline = this.#state.kind === "pending" && this.#state.reason === "offline";
    return isOffline && (wanted !== undefined || inFlight !== undefined);
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  #wish(wish: Wish): Promise<Status> {
    this.#wishes.add(wish);
    this.#start();
    return this.settled();
  }

  #start(): void {
    this.#again = true;
    this.#waiting.abort(ENOUGH);
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#loop().finally(() => {
      this.#running = undefined;
      if (this.#again && !this.#closed) this.#start();
    });
  }

  /** Runs until there is nothing to do; an error of the disk is said, and tried again after a while. */
  async #loop(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        this.#waiting = new AbortController();
        this.#serving = this.#wishes;
        this.#wishes = new Set();
        this.#fresh = false;
        this.#glanced = false;
        const state = await this.#work();
        // What was asked or saved meanwhile makes it the answer to an old question.
        if (state && !this.#again) this.#show(state);
      }
      if (!this.#attended && !this.#triesAgain) await this.#lock.release();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const wait = this.#retry.next();
      this.#show(pending("offline", `Sync stopped: ${reason}`, undefined, this.world.clock.now() + wait));
      this.#tryAgainIn(wait);
    }
  }

  /** One attempt to bring file and platform together. Returns where it stopped; undefined: go on at once. */
  async #work(): Promise<SyncState | undefined> {
    const held = await this.#hold();
    if (held) return held;
    if (this.#risksSeen) await this.#forgetRisks();
    const target = this.#target;
    if (!target) return undefined;
    if (target.errors)
      return { kind: "blocked", reason: "local-errors", message: `${count(target.errors, "error")} in the file.` };
    for (let round = 0; round < PATIENCE; round++) {
      const state = await this.#round();
      if (this.#closed) return undefined;
      if (state) return state;
    }
    return this.#later("The platform's graph keeps changing.");
  }

  /** Look, merge, send: each round does the first of these that is due. Returns a state where it must stop. */
  async #round(): Promise<SyncState | undefined> {
    const { base, inFlight } = this.#record;
    const pulling = this.#serving.has("pull");
    const mustSee = !base || inFlight || (!this.#fresh && (pulling || this.#serving.has("look")));
    if (mustSee || (!this.#fresh && !this.#glanced && this.#serving.has("glance"))) {
      const stopped = mustSee ? await this.#look() : await this.#glance();
      if (stopped) return stopped;
    }
    const target = this.#target as Target;
    if (this.#record.remote) {
      const stopped = await this.#takeIn(target, pulling);
      if (stopped) return stopped;
      if (this.#record.remote) return undefined;
    }
    const now = this.#record.base;
    if (!now || this.#target !== target) return undefined;
    return pulling ? this.#rest(now, target) : this.#send(now, target);
  }

  /** Sees the platform's graph and files it: as the base where it is what was meant, else as what is to be merged. */
  async #look(refused?: "passed over" | "refused"): Promise<SyncState | undefined> {
    const { base, remote } = this.#record;
    return this.#take(await this.#observer.look([remote, base], this.#closing.signal), refused);
  }

  async #glance(): Promise<SyncState | undefined> {
    const { base, remote } = this.#record;
    this.#glanced = true;
    const seen = await this.#observer.glance([remote, base], this.#closing.signal);
    if (seen.kind !== "hidden") return this.#take(seen);
    this.#hidden = seen.version;
    return undefined;
  }

  async #take(seen: Observation, refused?: "passed over" | "refused"): Promise<SyncState | undefined> {
    if (seen.kind !== "seen") return this.#unseen(seen);
    await this.#file(seen.known, seen.made, refused);
    if (seen.result) this.host.answered?.(seen.result);
    return undefined;
  }

  /**
   * `made`: how many versions the looking has made. `answer`: what was seen is the answer to the batch in flight, which
   * was applied, passed over for its version, or refused for another reason (another copy of it may have been applied).
   */
  async #file(seen: Known, made: number, answer?: "applied" | "passed over" | "refused"): Promise<void> {
    const { base, inFlight, risks = [], enforces, lateUntil = 0 } = this.#record;
    const now = this.world.clock.now();
    const change: { -readonly [K in keyof JournalRecord]: JournalRecord[K] } = { inFlight: undefined };
    const meant = base && inFlight && applyOps(base.graph, inFlight.ops).graph;
    const asMeant = meant !== undefined && sameGraph(meant, seen.graph);
    if (asMeant) change.base = { graph: meant, version: seen.version };
    else if (base && sameGraph(base.graph, seen.graph)) change.base = { graph: base.graph, version: seen.version };
    change.remote = change.base ? undefined : seen;
    if (inFlight && (!answer || answer === "refused") && !asMeant) change.lateUntil = now + LATE_MS;
    // A batch makes one version. Where more were made, and one of ours may be among them, it may lie over another's.
    const from = (this.#record.remote ?? base)?.version ?? seen.version;
    const late = now < lateUntil;
    const ours = inFlight ? answer !== "passed over" : late;
    // A batch that was refused made none; one sent before it, and given up, may have.
    const sent = inFlight && (answer === "refused" ? !late : asMeant || answer || !late) ? 1 : 0;
    const more = seen.version > from + made + sent;
    if (ours && more && !enforces) change.risks = [...risks, { sent: from, now: seen.version, at: now }];
    await this.#journal?.update(change);
    this.#fresh = true;
    this.#hidden = undefined;
    this.#retry.reset();
  }

  /** Merges what the platform has into the file. Undefined: done, or the file has changed meanwhile. */
  async #takeIn(target: Target, pulling: boolean): Promise<SyncState | undefined> {
    const { remote, base } = this.#record as { remote: Known; base?: Known };
    if (!base && !pulling) return this.#firstPush(remote, target);
    // Nobody has asked for the file to be sent, or there is nothing to send: looking alone never writes.
    const waits = base && (!this.#consent.wants(target.graph, this.#record) || sameGraph(base.graph, target.graph));
    if (waits && !pulling && !this.#serving.has("push"))
      return diverged("not-taken-in", plan(base.graph, remote.graph), "Pull to take them in.");
    // Two graphs without a common past: what they share is shared, what differs is a conflict.
    const ancestor = base?.graph ?? emptyGraph;
    const merge = (graph: Graph) =>
      mergeGraphs(ancestor, graph, remote.graph, (conflict) => this.#choices.get(matterOf(conflict)));
    const merged = merge(target.graph);
    if (merged.conflicts.length > 0) {
      const merges = plan(target.graph, merged.graph);
      return { kind: "conflict", version: remote.version, conflicts: merged.conflicts, merges };
    }
    if (!sameGraph(merged.graph, target.graph)) {
      this.#noLongerSynced();
      const saved = await this.host.mergeIntoFile((current) => {
        const result = merge(current);
        return result.conflicts.length === 0 ? result.graph : undefined;
      });
      // What was saved while we waited is newer than what the host returns.
      if (this.#target !== target) return undefined;
      // The file has everything if it says what we wrote, or if merging once more would change nothing.
      const whole = saved && (sameGraph(saved.graph, merged.graph) || isWhole(merge(saved.graph), saved.graph));
      if (!whole)
        return diverged("not-saved", plan(target.graph, merged.graph), "They are merged; save the file to go on.");
      this.#target = saved;
    }
    this.#choices.clear();
    await this.#journal?.update({ base: remote, remote: undefined });
    return undefined;
  }

  /** Without a common past a push makes the platform what the file is, so a person must have seen what that means. */
  async #firstPush(remote: Known, target: Target): Promise<SyncState | undefined> {
    let { confirmed } = this.#record;
    if (!sameGraph(remote.graph, target.graph)) {
      const stopped = await this.#mayNotSend(this.#planFrom(remote.graph, target), target, false);
      if (stopped) return stopped === "changed" ? undefined : stopped;
      confirmed = this.host.files()[0];
    }
    await this.#journal?.update({ base: remote, remote: undefined, ...(confirmed ? { confirmed } : {}) });
    return undefined;
  }

  /** Sends the difference, batch by batch. */
  async #send(base: Known, target: Target): Promise<SyncState | undefined> {
    const wanted = this.#planFrom(base.graph, target);
    if (wanted.ops.length === 0) return this.#rest(base, target);
    const [file, ...earlier] = this.host.files();
    const { confirmed } = this.#record;
    const stopped = await this.#mayNotSend(
      wanted,
      target,
      [file, ...earlier].some((name) => name === confirmed),
    );
    if (stopped) return stopped === "changed" ? undefined : stopped;
    if (file !== undefined && confirmed !== file) await this.#journal?.update({ confirmed: file });
    // A platform that does not check versions would let us overwrite what we could have seen by looking first.
    if (!this.#fresh && this.#observer.canRead) return this.#look();
    for (const [index, batch] of wanted.batches.entries()) {
      if (this.#consent.cancelled || this.#target !== target || this.#closed) return undefined;
      const lost = await this.#hold();
      if (lost) return lost;
      this.#show({ kind: "syncing", batch: index + 1, batches: wanted.batches.length });
      const outcome = await this.#sendBatch(batch, target);
      if (outcome !== "as meant") return outcome;
    }
    return undefined;
  }

  /** The state in which a plan waits, if it may not go out now; "changed": there is a newer target to think about. */
  async #mayNotSend(wanted: Plan, target: Target, confirmed: boolean): Promise<SyncState | "changed" | undefined> {
    if (this.#refusal)
      return { kind: "blocked", reason: "refused", message: this.#refusal.message, refusal: this.#refusal };
    const waits = this.#consent.waits(wanted, target.graph, this.#record);
    if (waits) return waits;
    const answer = await this.#consent.ask(wanted, confirmed, (state) => this.#show(state));
    if (answer === undefined || this.#target !== target) return "changed";
    return answer === "yes" ? undefined : answer;
  }

  async #sendBatch(batch: readonly PlannedOp[], target: Target): Promise<"as meant" | SyncState | undefined> {
    const baseVersion = this.#record.base?.version as number;
    const ops = batch.map((planned) => planned.op);
    await this.#journal?.update({ inFlight: { ops, baseVersion }, wanted: fingerprint(target.graph) });
    const answer = await this.world.remote.send(ops, baseVersion, this.#closing.signal);
    if (answer.kind === "answered" && answer.graph) {
      await this.#file({ graph: answer.graph, version: answer.version }, 0, answer.updated ? "applied" : "passed over");
      this.host.answered?.(answer.result);
      return this.#record.remote || !answer.updated ? undefined : "as meant";
    }
    if (answer.kind === "not-sent") {
      await this.#journal?.update({ inFlight: undefined });
      return this.#later(answer.message);
    }
    if (answer.kind !== "refused") return this.#unsent(answer);
    // A refusal may be of a second delivery of a batch that was applied, or of an old version: looking tells. Who
    // refuses for the version alone has laid nothing over anybody's change.
    const failed = await this.#look(answer.aboutVersion ? "passed over" : "refused");
    if (failed) return failed;
    const { base, remote, enforces } = this.#record;
    const moved = (remote ?? base)?.version !== baseVersion;
    if (!moved) this.#refusal = { ...answer, batch };
    else if (answer.aboutVersion && !enforces) await this.#journal?.update({ enforces: true });
    return undefined;
  }

  async #rest(base: Known, target: Target): Promise<SyncState> {
    const open = this.#planFrom(base.graph, target);
    if (open.ops.length > 0) return pending("manual", `Not sent yet: ${open.summary.text}.`, open);
    this.#consent.forget();
    if (this.#record.wanted !== undefined) await this.#journal?.update({ wanted: undefined });
    if (this.#hidden !== undefined && this.#hidden !== base.version) {
      const message = `The platform has version ${this.#hidden} and does not show it yet; the file is as version ${base.version}. Pull to see.`;
      return { kind: "diverged", reason: "not-taken-in", message };
    }
    return { kind: "synced", version: base.version };
  }

  /** Nobody knows what became of the batch in flight; it stays in the journal until somebody has looked. */
  #unsent(answer: Exclude<SendOutcome, { kind: "refused" | "not-sent" }>): Promise<SyncState> | SyncState {
    if (answer.kind === "unauthorized") return answer;
    const message = answer.kind === "unknown" ? answer.message : "The platform's answer does not show the graph.";
    return this.#later(message, answer.kind === "unknown" ? answer.retryAfterMs : undefined);
  }

  #unseen(seen: Exclude<Observation, { kind: "seen" }>): Promise<SyncState> | SyncState {
    if (seen.kind === "unauthorized") return seen;
    if (seen.kind === "refused") return { kind: "blocked", reason: "refused", message: seen.message };
    return this.#later(seen.message, seen.retryAfterMs);
  }

  /** Waits and tries again by itself; a save, a push or the end of the wait wakes it. */
  async #later(message: string, hintMs?: number): Promise<SyncState> {
    const target = this.#target;
    if (target && this.#journal && this.#consent.isWanted) {
      const wanted = fingerprint(target.graph);
      if (this.#record.wanted !== wanted) await this.#journal.update({ wanted });
    }
    const wait = this.#retry.next(hintMs);
    const state = pending("offline", message, undefined, this.world.clock.now() + wait);
    this.#tryAgainIn(wait);
    return state;
  }

  #tryAgainIn(ms: number): void {
    const { signal } = this.#waiting;
    void this.world.clock.sleep(ms, signal).then(() => signal.aborted || this.#start());
  }

  /** Holds the lock and has the journal as it is on disk; else says who holds it. */
  async #hold(): Promise<SyncState | undefined> {
    if (this.#lock.held && this.#journal && (await this.#lock.renew())) return undefined;
    this.#journal = undefined;
    const other = await this.#lock.take();
    if (other) {
      this.#tryAgainIn(RENEW_EVERY_MS);
      return pending("held", `This flow is synced by ${other.label}.`);
    }
    const { journal, setAside } = await Journal.open(this.world.storage, this.identity, this.world.clock);
    this.#journal = journal;
    this.#setAside = setAside ?? this.#setAside;
    this.#beat ??= this.#heartbeat().finally(() => {
      this.#beat = undefined;
    });
    return undefined;
  }

  async #heartbeat(): Promise<void> {
    while (this.#lock.held && !this.#closed) {
      await this.world.clock.sleep(RENEW_EVERY_MS, this.#closing.signal);
      // A disk that cannot be written is said by the next attempt to sync, which renews the lock first.
      if (!this.#closed) await this.#lock.renew().catch(() => false);
    }
  }

  get #record(): JournalRecord {
    return this.#journal?.record ?? {};
  }

  async #forgetRisks(): Promise<void> {
    await this.#journal?.update({ risks: [] });
  }

  #planFrom(from: Graph, target: Target): Plan {
    return target.planFrom?.(from) ?? plan(from, target.graph);
  }

  /** What was true of the file as it was is not said of it as it is now. */
  #noLongerSynced(): void {
    if (this.#state.kind === "synced") this.#show({ kind: "syncing", batch: 0, batches: 0 });
  }

  #show(state: SyncState): void {
    this.#state = state;
    this.host.statusChanged(this.status);
  }
}

function diverged(reason: "not-taken-in" | "not-saved", incoming: Plan, what: string): SyncState {
  return {
    kind: "diverged",
    reason,
    message: `The platform has changes that are not in the saved file (${incoming.summary.text}). ${what}`,
    incoming,
  };
}

/** What a conflict is about: the place and both values. A later value on either side is another matter. */
function matterOf({ key, ours, theirs }: Conflict): string {
  return JSON.stringify([key, ours, theirs]);
}

function isWhole(merge: Merge, graph: Graph): boolean {
  return merge.conflicts.length === 0 && sameGraph(merge.graph, graph);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
