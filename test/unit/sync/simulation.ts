/**
 * Client, platform, network, disk, user and another user in one process, on a virtual clock, driven by one seed.
 * Everything that can fail between a save and the platform fails here, in any order; the laws are checked at every
 * step. The same seed gives the same run. Every written value is unique (`u7` by the user, `c3` by the other user), so
 * any graph shows whose changes it has and lacks.
 */

import { IDBFactory } from "fake-indexeddb";
import {
  applyOps,
  type Conflict,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphOp,
  MAX_OPS_PER_BATCH,
  type Plan,
  plan,
  sameGraph,
  sameJson,
} from "../../../flow";
import {
  type Cause,
  type ReadOutcome,
  type SendOutcome,
  type Status,
  type Storage,
  type SyncEnvironment,
  SyncSession,
  type Target,
} from "../../../sync";
import { BrowserState, type Databases } from "../../../system/browser/state-store";
import { generator } from "../../support/random";
import { WebLocks } from "../../support/web-locks";
import { FORMS, type Form, normalized, normalizedOps, unexplained } from "./normalizers";

export const MODES = ["409", "412", "422", "apply", "ignore"] as const;
export type Mode = (typeof MODES)[number];

/** Normalizing platforms: with one form, with all of them, and with changing ones. */
export const NORMALIZING = [...FORMS, "all", "changing"] as const;
export type Normalizing = (typeof NORMALIZING)[number];

export interface Breaks {
  /** The journal's flushes do nothing. */
  readonly skipFlush?: boolean;
  /** A wrong diff: the last operation of a plan is missing. */
  readonly wrongDiff?: boolean;
}

export interface Tally {
  crashes: number;
  lostAnswers: number;
  duplicates: number;
  conflicts: number;
  merges: number;
  batches: number;
  /** Answers in the middle of a chain whose graph needn't be read. */
  risks: number;
  /** Overwrites that only a platform that checks versions could have prevented; each was shown as a risk. */
  shownOverwrites: number;
  /** Conflicts where the platform's side is only another form. */
  reformed: number;
}

export class Violation extends Error {}

/** `409`, or with normalization: `409+sort`. */
export type PlatformName = Mode | `${Mode}+${Normalizing}`;

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = <T>() => new Promise<T>(() => {});

/** Where sync stores its state: on a disk, or in a browser's database. */
export type Store = "disk" | "browser";

export async function simulate(
  seed: number,
  name: PlatformName,
  tally: Tally,
  breaks: Breaks = {},
  store: Store = "disk",
): Promise<void> {
  const [mode, normalizing] = name.split("+") as [Mode, Normalizing | undefined];
  const run = new Simulation(seed, mode, normalizing, tally, breaks, store);
  try {
    await run.run();
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Violation(`mode ${name}, ${store}, seed ${seed}: ${reason}\n  ${run.trace.slice(-40).join("\n  ")}`);
  }
}

class Simulation {
  readonly random: () => number;
  readonly trace: string[] = [];
  readonly platform: Platform;
  readonly disk: Disk;
  readonly database = new IDBFactory() as unknown as Databases;
  readonly locks = new WebLocks();
  /** Transactions of the database under way: they take several turns. */
  storing = 0;
  now = 0;
  #events: { at: number; order: number; act: () => void }[] = [];
  #order = 0;
  #values = 0;
  #faults = true;
  /** The saved file, and the unsaved text in the editor. */
  file: Graph;
  #unsaved: Graph | undefined;
  #client!: Client;
  #seen = new Set<string>();
  #settledByHand = new Set<string>();
  /** Plans started since the last event. */
  #plans = 0;
  #risksShown: { sent: number; now: number }[] = [];
  #unseenLosses: { version: number; value: string }[] = [];
  /** True while the outcome of a sent batch is unknown. */
  outcomeUnknown = false;
  /** The outcome of a batch of this run was never known. */
  lostTrack = false;
  readonly #entriesOfColleague = new Set<unknown>();
  readonly #withRead: boolean;

  constructor(
    readonly seed: number,
    readonly mode: Mode,
    readonly normalizing: Normalizing | undefined,
    readonly tally: Tally,
    readonly breaks: Breaks,
    readonly store: Store,
  ) {
    this.random = generator(seed);
    this.#withRead = this.chance(0.5);
    const start = startGraph();
    this.platform = new Platform(mode, start);
    // The platform's graph is normalized from the start; the file is written by hand.
    if (normalizing) this.platform.normalizeBy(this.#forms(), this.chance(0.5), this.chance(0.3));
    this.file = this.chance(0.7) ? start : this.mutate(start, "u");
    this.disk = new Disk(this);
  }

  #forms(): ReadonlySet<Form> {
    if (this.normalizing === "all") return new Set(FORMS);
    if (this.normalizing !== "changing") return new Set(this.normalizing ? [this.normalizing] : []);
    return new Set(FORMS.filter(() => this.chance(0.4)));
  }

  /** An event that a save may have to respond to: resets the count of plans. */
  disturbed(): void {
    this.#plans = 0;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  at(delay: number, act: () => void): void {
    const event = { at: this.now + delay, order: this.#order++, act };
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1] as typeof event).at > event.at) index--;
    this.#events.splice(index, 0, event);
  }

  async run(): Promise<void> {
    this.#startClient();
    const actions = 2 + Math.floor(this.random() * 5);
    let end = 0;
    for (let i = 0; i < actions; i++) {
      const delay = this.random() * 5_000;
      end = Math.max(end, delay);
      this.at(delay, () => this.#act());
    }
    this.at(end + 1, () => {
      this.#faults = false;
    });
    for (let steps = 0; ; steps++) {
      await this.#settle();
      this.#client.rethrow();
      const state = this.#client.dead ? undefined : this.#client.status?.state;
      if (state?.kind === "synced") this.#checkSynced(state.version);
      if (!this.#faults && this.#isDone()) break;
      if (steps > 2_000) throw new Violation(`no end: ${JSON.stringify(this.#client.status?.state.kind)}`);
      const event = this.#events.shift();
      if (!event) throw new Violation(`nothing happens any more in ${JSON.stringify(this.#client.status?.state)}`);
      this.now = event.at;
      event.act();
    }
    await this.#settle();
    const why = unexplained(this.file, this.platform.graph, this.platform.everFormed);
    if (why) throw new Violation(`file and platform differ in the end: ${why}`);
    this.#checkOverwrites();
    this.#client.kill();
  }

  async #settle(): Promise<void> {
    do await tick();
    while (this.storing > 0);
  }

  /** Synced with the platform's current graph; a read ensures that the client knows the newest version. */
  #isDone(): boolean {
    if (this.#client.dead) return false;
    const state = this.#client.status?.state;
    const quiet = !this.#unsaved && this.platform.onTheWay === 0;
    if (quiet && state?.kind === "synced" && state.version === this.platform.version) return true;
    // Without a version there is no evidence that the platform doesn't store something, so it stays pending.
    const isIgnored = state?.kind === "pending" && state.reason === "ignored" && this.platform.isQuiet;
    if (quiet && isIgnored && !unexplained(this.file, this.platform.graph, this.platform.everFormed)) return true;
    if (this.#unsaved) this.#saveUnsaved();
    else if (this.#client.isIdle && state) this.#goOn(state.kind);
    return false;
  }

  /** Acts like a user waiting for "synced". */
  #goOn(kind: string): void {
    this.disturbed();
    if (kind === "conflict") this.#resolve();
    else if (kind === "diverged" && this.#unsaved) this.#saveUnsaved();
    else if (kind === "diverged") void this.#client.sync.pull();
    // An unreadable answer is reported, and needs another push.
    else if (kind === "blocked") void this.#client.sync.push();
    // Only a pull may send a probe if reads don't return the graph.
    else if (kind !== "pending") void (this.#withRead ? this.#client.sync.look() : this.#client.sync.pull());
    else if (this.#client.status?.state.kind === "pending" && this.#client.status.state.reason !== "held")
      void this.#client.sync.push();
  }

  #act(): void {
    this.disturbed();
    if (this.normalizing === "changing" && this.chance(0.4))
      this.platform.normalizeBy(this.#forms(), this.chance(0.5), this.chance(0.3));
    const kind = this.#client.status?.state.kind;
    const roll = this.random();
    if (roll < 0.4) this.#edit();
    else if (roll < 0.7) this.#colleagueEdits();
    else if (roll < 0.75) this.#client.crashIn(Math.floor(this.random() * 25));
    else if (roll < 0.8) this.#client.crashAtSend();
    else if (roll < 0.85) void this.#client.sync.pull();
    else if (roll < 0.875) void this.#client.sync.look();
    else if (roll < 0.9) this.#edit("autosave");
    else if (kind) this.#goOn(kind);
  }

  #edit(cause: Cause = this.chance(0.9) ? "save" : "outside"): void {
    this.file = this.mutate(this.#unsaved ?? this.file, "u");
    this.#unsaved = undefined;
    this.note(`user saves (${cause})`);
    this.#client.sync.save(this.#target(), cause);
  }

  #colleagueEdits(): void {
    const graph = this.mutate(this.platform.graph, "c");
    if (graph.entry !== this.platform.graph.entry) this.#entriesOfColleague.add(graph.entry);
    this.platform.put(graph);
    this.note(`colleague → v${this.platform.version}`);
  }

  #saveUnsaved(): void {
    if (!this.#unsaved) return;
    this.disturbed();
    this.file = this.#unsaved;
    this.#unsaved = undefined;
    this.note("user saves what was merged");
    this.#client.sync.save(this.#target());
  }

  #resolve(): void {
    const state = this.#client.status?.state;
    if (state?.kind !== "conflict") return;
    const sides = new Map(state.conflicts.map(({ key }) => [key, this.chance(0.5) ? "ours" : "theirs"] as const));
    for (const conflict of state.conflicts) for (const value of valuesIn(conflict)) this.#settledByHand.add(value);
    this.note(`user resolves ${[...sides].join(" ")}`);
    void this.#client.sync.resolve(sides);
  }

  #startClient(): void {
    const client = new Client(this, this.#withRead, {
      files: () => ["the file"],
      mergeIntoFile: async (merge) => {
        const current = this.#unsaved ?? this.file;
        const merged = merge(current);
        if (!merged) return undefined;
        this.disturbed();
        this.tally.merges++;
        this.#checkLocalEdits(current, merged);
        for (const value of valuesIn(merged)) this.#seen.add(value);
        if (this.#faults && this.chance(0.25)) {
          this.#unsaved = merged;
          this.note("merged into unsaved text");
          return undefined;
        }
        this.#unsaved = undefined;
        this.file = merged;
        this.note("merged into the file");
        return this.#target();
      },
      confirm: async ({ reason }) => {
        // The user sees the plan, and with it everything that only the platform has.
        if (reason === "first-push") for (const value of valuesIn(client.sync.remote?.graph)) this.#seen.add(value);
        return !this.#faults || this.chance(0.9);
      },
      statusChanged: (status) => {
        if (client.dead) return;
        client.status = status;
        this.note(
          `status ${status.state.kind}${status.state.kind === "synced" ? ` v${status.state.version}` : status.state.kind === "pending" ? ` ${status.state.reason}: ${status.state.message}` : ""}`,
        );
        for (const risk of status.risks) this.#risksShown.push(risk);
        if (status.state.kind === "synced") this.#checkSynced(status.state.version);
        if (status.state.kind === "syncing" && status.state.batch === 1 && !status.state.waiting) this.#checkPlans();
        if (status.state.kind === "conflict") {
          this.tally.conflicts++;
          this.#checkConflicts(status.state.conflicts);
          for (const { theirs, uses } of status.state.conflicts)
            for (const value of valuesIn([theirs, uses])) this.#seen.add(value);
        }
      },
    });
    this.#client = client;
    client.sync.save(this.#target(), "open");
  }

  crashed(): void {
    this.disturbed();
    this.tally.crashes++;
    // The pending answer is lost with the client.
    if (this.outcomeUnknown) this.lostTrack = true;
    this.note("CRASH");
    this.disk.crash();
    this.#unsaved = undefined;
    this.at(this.random() * 500, () => this.#startClient());
  }

  #target(): Target {
    const graph = this.file;
    return {
      graph,
      planFrom: (from): Plan => {
        const whole = plan(from, graph);
        const ops = this.breaks.wrongDiff ? whole.ops.slice(0, -1) : whole.ops;
        const size = 1 + (this.seed % 3);
        const batches = Array.from({ length: Math.ceil(ops.length / size) }, (_, i) =>
          ops.slice(i * size, (i + 1) * size),
        );
        return { ...whole, ops, batches };
      },
    };
  }

  /** "Synced vN" is true if the platform had the file's graph under that version. */
  #checkSynced(version: number): void {
    const there = this.platform.history.get(version);
    const why = there ? unexplained(this.file, there, this.platform.everFormed) : "no such version";
    if (why) throw new Violation(`false "synced v${version}": ${why}`);
  }

  /** A user's value is removed from the file only if the platform had it, or if a conflict was decided by hand. */
  #checkLocalEdits(before: Graph, after: Graph): void {
    const left = valuesIn(after);
    for (const value of valuesIn(before))
      if (value.startsWith("u") && !left.has(value) && !this.platform.had.has(value) && !this.#settledByHand.has(value))
        throw new Violation(`the local edit ${value} is lost`);
  }

  /** The plan of this save, the plan of a later one, and one more: more plans would mean a fight with the platform. */
  #checkPlans(): void {
    if (++this.#plans > 3) throw new Violation("file and platform do not come to rest while nobody else is at work");
  }

  /** A conflict needs another user's change: another form of our own value isn't one. */
  #checkConflicts(conflicts: readonly Conflict[]): void {
    if (!this.normalizing) return;
    for (const { key, base, theirs } of conflicts) {
      if (base === undefined || theirs === undefined || base === null || theirs === null || key.endsWith(".edges"))
        continue;
      if ([...valuesIn(theirs)].some((value) => value.startsWith("c")) || sameJson(base, theirs)) continue;
      // The name of a node doesn't show which user chose it as the entry.
      if (key === "entry" && this.#entriesOfColleague.has(theirs)) continue;
      // A normalization during another user's change looks like that user's change. So does a value of ours whose
      // answer was lost, or that was written over an unseen version.
      if (this.normalizing === "changing" || this.mode === "apply" || this.lostTrack) this.tally.reformed++;
      else throw new Violation(`an invented conflict about ${key}: ${JSON.stringify([base, theirs])}`);
    }
  }

  /** Our batch was applied: values of the other user that it removed must have been shown to the user. */
  batchApplied(before: Graph, after: Graph): void {
    const left = valuesIn(after);
    for (const value of valuesIn(before)) {
      if (!value.startsWith("c") || left.has(value) || this.#seen.has(value)) continue;
      if (this.mode !== "apply") throw new Violation(`the colleague's ${value} is overwritten unseen`);
      this.#unseenLosses.push({ version: this.platform.version, value });
    }
  }

  /** On a platform that accepts every version, each such loss is within a risk that was shown. */
  #checkOverwrites(): void {
    for (const { version, value } of this.#unseenLosses) {
      if (!this.#risksShown.some((risk) => risk.sent < version && version <= risk.now))
        throw new Violation(`the colleague's ${value} was overwritten in v${version} and no risk was shown`);
      this.tally.shownOverwrites++;
    }
    if (this.#risksShown.length > 0) this.tally.risks++;
  }

  checkBatch(ops: readonly GraphOp[], baseVersion: number): void {
    this.tally.batches++;
    if (this.outcomeUnknown) throw new Violation("a batch is sent although the outcome of the previous one is unknown");
    if (ops.length === 0 || ops.length > MAX_OPS_PER_BATCH) throw new Violation(`a batch of ${ops.length}`);
    const base = this.platform.history.get(baseVersion);
    const { problem } = base ? applyOps(base, ops) : { problem: { message: "no such version" } };
    if (problem) throw new Violation(`a batch that does not fit v${baseVersion}: ${problem.message}`);
  }

  get faults(): boolean {
    return this.#faults;
  }

  note(line: string): void {
    this.trace.push(`${Math.round(this.now)} ${line}`);
  }

  /** One typical change with unique values; sometimes two at once. */
  mutate(graph: Graph, who: "u" | "c"): Graph {
    const changed = this.#mutateOnce(graph, who);
    return this.chance(0.3) ? this.#mutateOnce(changed, who) : changed;
  }

  #mutateOnce(graph: Graph, who: "u" | "c"): Graph {
    const value = `${who}${this.#values++}`;
    const ids = [...graph.nodes.keys()];
    const id = this.pick(ids);
    const nodes = new Map(graph.nodes);
    const edges = new Map(graph.edges);
    const roll = this.random();
    if (roll < 0.4) {
      nodes.set(id, { ...(graph.nodes.get(id) as GraphNode), [this.pick(["name", "text"])]: value });
      return { ...graph, nodes };
    }
    if (roll < 0.55) {
      nodes.set(value, { id: value, type: "message" });
      edges.set(`${value}e`, { id: `${value}e`, source: id, target: value });
      return { ...graph, nodes, edges };
    }
    if (roll < 0.65 && ids.length > 2) {
      nodes.delete(id);
      for (const [key, edge] of edges) if (edge.source === id || edge.target === id) edges.delete(key);
      return {
        ...graph,
        nodes,
        edges,
        entry: graph.entry === id ? (ids.find((other) => other !== id) as string) : (graph.entry as string),
      };
    }
    if (roll < 0.75 && edges.size > 0) {
      const edge = this.pick([...edges.values()]);
      edges.set(edge.id, { ...edge, when: value });
      return { ...graph, edges };
    }
    if (roll < 0.82 && edges.size > 0) {
      const edge = this.pick([...edges.values()]);
      edges.delete(edge.id);
      if (this.chance(0.5)) edges.set(edge.id, edge);
      return { ...graph, edges };
    }
    if (roll < 0.9) return { ...graph, persona: value };
    if (roll < 0.95) return { ...graph, variables: new Map([...graph.variables, ["v", { name: "v", type: value }]]) };
    return { ...graph, outputs: [{ name: "o", value }] };
  }
}

/** The values and IDs written by users in a graph, or in anything else. */
function valuesIn(data: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === "string") {
      const [who, digit] = [part.charCodeAt(0), part.charCodeAt(1)];
      if ((who === 117 || who === 99) && digit >= 48 && digit <= 57 && !part.endsWith("e")) found.add(part);
    } else if (part instanceof Map) for (const item of part.values()) visit(item);
    else if (typeof part === "object" && part !== null) for (const item of Object.values(part)) visit(item);
  };
  visit(data);
  return found;
}

function startGraph(): Graph {
  const node = (id: string): [string, GraphNode] => [id, { id, type: "message", name: id }];
  const edge = (id: string, source: string, target: string): [string, GraphEdge] => [id, { id, source, target }];
  return {
    entry: "a",
    nodes: new Map([node("a"), node("b"), node("d")]),
    edges: new Map([edge("1", "a", "b"), edge("2", "a", "d"), edge("3", "b", "d")]),
    variables: new Map(),
    outputs: [],
  };
}

/** The platform: a graph, its versions, and its response to a batch made for another version. */
class Platform {
  version = 1;
  readonly history = new Map<number, Graph>();
  /** Every value it ever had. */
  readonly had = new Set<string>();
  /** Requests that will still arrive. */
  onTheWay = 0;

  constructor(
    readonly mode: Mode,
    public graph: Graph,
  ) {
    this.history.set(1, graph);
  }

  /** The forms in use, and all that ever were. */
  #forms: ReadonlySet<Form> = new Set();
  readonly everFormed = new Set<Form>();
  /** Whether a write normalizes the whole graph, and whether one without effect makes no version. */
  #whole = false;
  #quiet = false;
  /** The graph after the last batch, before normalization. */
  raw: Graph | undefined;

  normalizeBy(forms: ReadonlySet<Form>, whole: boolean, quiet: boolean): void {
    this.#forms = forms;
    for (const form of forms) this.everFormed.add(form);
    if (this.version === 1) {
      this.graph = normalized(this.graph, forms, () => true);
      this.history.set(1, this.graph);
    }
    this.#whole = whole;
    this.#quiet = quiet;
  }

  get isQuiet(): boolean {
    return this.#quiet;
  }

  put(graph: Graph): boolean {
    const before = new Set<object>([...this.graph.nodes.values(), ...this.graph.edges.values()]);
    const stored = normalized(graph, this.#forms, (element) => this.#whole || !before.has(element));
    if (this.#quiet && sameGraph(stored, this.graph)) return false;
    this.graph = stored;
    this.history.set(++this.version, stored);
    for (const value of valuesIn(stored)) this.had.add(value);
    return true;
  }

  apply(ops: readonly GraphOp[], baseVersion: number | undefined): SendOutcome {
    if (baseVersion !== undefined && baseVersion !== this.version) {
      if (this.mode === "ignore") return this.#answer(false);
      if (this.mode !== "apply") return refused(this.mode);
    }
    const { graph, problem } = applyOps(this.graph, normalizedOps(ops, this.#forms));
    if (!graph) return { ...refused("op"), message: problem.message };
    this.raw = graph;
    return this.#answer(this.put(graph));
  }

  #answer(updated: boolean): SendOutcome {
    return { kind: "answered", version: this.version, graph: this.graph, updated, result: {} };
  }
}

function refused(why: Mode | "op"): SendOutcome & { kind: "refused" } {
  return { kind: "refused", message: `refused (${why})`, aboutVersion: why !== "op", detail: [] };
}

/** One run of the client: from its start to its end or crash. */
class Client {
  readonly sync: SyncSession;
  status: Status | undefined;
  dead = false;
  #crashIn: number | undefined;
  #crashAtSend = false;
  #calls = 0;
  #error: unknown;
  readonly #name: string;
  readonly #tab: ReturnType<WebLocks["tab"]>;
  readonly #database: BrowserState;

  constructor(
    private readonly sim: Simulation,
    withRead: boolean,
    host: ConstructorParameters<typeof SyncSession>[2],
  ) {
    this.#tab = sim.locks.tab();
    this.#database = new BrowserState(sim.database, this.#tab);
    this.#name = sim.store === "browser" ? this.#database.process : `p${lives++}`;
    const guarded = Object.fromEntries(
      Object.entries(host).map(([name, act]) => [
        name,
        (...args: unknown[]) => {
          if (this.dead) return never();
          const failed = (error: unknown) => {
            this.#error ??= error;
            return never();
          };
          try {
            const result = (act as (...all: unknown[]) => unknown)(...args);
            return result instanceof Promise ? result.catch(failed) : result;
          } catch (error) {
            return failed(error);
          }
        },
      ]),
    ) as unknown as typeof host;
    const world: SyncEnvironment = {
      remote: {
        send: (ops, baseVersion) => this.#send(ops, baseVersion),
        read: () => (withRead ? this.#read() : this.#call(() => ({ kind: "unavailable", message: "no" }))),
      },
      storage: sim.store === "browser" ? this.#storage(this.#transactions()) : this.#storage(sim.disk),
      clock: { now: () => sim.now, sleep: (ms, signal) => this.#sleep(ms, signal) },
      random: sim.random,
      process: this.#name,
      isGone: (process) =>
        sim.store === "browser" ? this.#database.isGone(process) : process !== this.#name && sim.seed % 3 > 0,
    };
    this.sync = new SyncSession(
      { connection: "c", assistant: "a", revision: "r" },
      world,
      { ...guarded, files: host.files },
      this.#name,
    );
  }

  /** Nothing of the client is pending; it only waits. */
  get isIdle(): boolean {
    return !this.dead && this.#calls === 0;
  }

  rethrow(): void {
    if (this.#error) throw this.#error;
  }

  /** The client crashes at the given system call from now. */
  crashIn(calls: number): void {
    this.#crashIn ??= calls;
  }

  /** The client crashes when it next sends a batch: the hardest moment. */
  crashAtSend(): void {
    this.#crashAtSend = true;
  }

  kill(): void {
    this.dead = true;
    this.#tab.end();
  }

  /** One system call. True if the client has crashed here. */
  #dies(): boolean {
    if (this.dead) return true;
    if (this.#crashIn === undefined || this.#crashIn-- > 0) return false;
    this.kill();
    this.sim.crashed();
    return true;
  }

  #call<T>(answer: () => T): Promise<T> {
    if (this.#dies()) return never();
    return Promise.resolve(answer());
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.dead) return never();
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => this.dead || resolve();
      signal?.addEventListener("abort", wake);
      this.sim.at(ms, () => {
        signal?.removeEventListener("abort", wake);
        wake();
      });
    });
  }

  /** An answer that reaches the client after a while, if it is still running. */
  #later<T>(ms: number, answer: () => T): Promise<T> {
    this.#calls++;
    return new Promise((resolve) => {
      this.sim.at(ms, () => {
        this.#calls--;
        if (!this.#dies()) resolve(answer());
      });
    });
  }

  #send(ops: readonly GraphOp[], baseVersion: number | undefined): Promise<SendOutcome> {
    const { sim } = this;
    const probe = baseVersion === undefined;
    if (this.dead) return never();
    if (!probe)
      try {
        sim.checkBatch(ops, baseVersion);
      } catch (error) {
        this.#error ??= error;
        return never();
      }
    if (this.#crashAtSend && !probe) this.#crashIn = 0;
    // A crash here is before or after the request was sent.
    const dies = this.#dies();
    if (dies && sim.chance(0.5)) return never();
    if (!probe) sim.outcomeUnknown = true;
    const roll = sim.faults ? sim.random() : 1;
    if (roll < 0.38 || dies) {
      sim.disturbed();
      sim.lostTrack = true;
    }
    const travel = () => 5 + sim.random() * 400;
    const arrive = (delay: number): Promise<SendOutcome> => {
      sim.platform.onTheWay++;
      return new Promise((resolve) =>
        sim.at(delay, () => {
          sim.platform.onTheWay--;
          const before = sim.platform.graph;
          const version = sim.platform.version;
          const answer = sim.platform.apply(ops, baseVersion);
          sim.note(
            `platform: ${probe ? "look" : process.env.SIM_OPS ? JSON.stringify(ops) : ops.map((op) => op.op).join("+")} for v${baseVersion} → ${answer.kind} v${version}→v${sim.platform.version}`,
          );
          if (answer.kind === "refused" || (answer.kind === "answered" && !answer.updated)) sim.disturbed();
          if (!probe && sim.platform.version !== version)
            try {
              sim.batchApplied(before, sim.platform.raw ?? sim.platform.graph);
            } catch (error) {
              this.#error ??= error;
            }
          resolve(answer);
        }),
      );
    };
    const failure = (message: string, retryAfterMs?: number): SendOutcome => ({
      kind: "unknown",
      message,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    const timeout = 1_000;
    if (dies) {
      void arrive(travel());
      return never();
    }
    if (roll < 0.02)
      return this.#later(travel(), () => {
        if (!probe) sim.outcomeUnknown = false;
        return { kind: "not-sent", message: "there is no connection" };
      });
    if (roll < 0.06) return this.#later(timeout, () => failure("the request was lost"));
    if (roll < 0.16) {
      sim.tally.lostAnswers++;
      void arrive(travel());
      return this.#later(timeout, () => failure("the answer was lost"));
    }
    if (roll < 0.19) {
      // So late that the client has already read the graph and continued.
      void arrive(timeout + sim.random() * 3_000);
      return this.#later(timeout, () => failure("late"));
    }
    if (roll < 0.22) return this.#later(travel(), () => failure("503 before", sim.chance(0.5) ? 2_000 : undefined));
    if (roll < 0.25) {
      const out = arrive(travel());
      return out.then(() => this.#later(1, () => failure("502 after")));
    }
    if (roll < 0.27) return this.#later(travel(), () => ({ kind: "unauthorized", message: "401" }));
    let answered = arrive(travel());
    if (roll < 0.35) {
      // Delivered twice, but answered once.
      sim.tally.duplicates++;
      const second = arrive(travel());
      answered = sim.chance(0.5)
        ? Promise.all([answered, second]).then(([first]) => first)
        : Promise.all([answered, second]).then(([, last]) => last);
    }
    const unreadable = roll < 0.38;
    this.#calls++;
    return answered.then((answer) => {
      this.#calls--;
      return this.#later(travel(), () => {
        // It reports the next version, whether its graph can be read or not.
        const isClear = answer.kind === "answered" && answer.updated && answer.version === (baseVersion ?? 0) + 1;
        if (answer.kind === "answered" && (!unreadable || isClear)) sim.outcomeUnknown = false;
        return answer.kind === "answered" && unreadable ? { ...answer, graph: undefined } : answer;
      });
    });
  }

  #read(): Promise<ReadOutcome> {
    const { sim } = this;
    if (this.#dies()) return never();
    const roll = sim.faults ? sim.random() : 1;
    if (roll < 0.12) sim.disturbed();
    const travel = 5 + sim.random() * 200;
    if (roll < 0.1) return this.#later(travel, () => ({ kind: "failed", message: "network" }));
    if (roll < 0.12) return this.#later(travel, () => ({ kind: "unauthorized", message: "401" }));
    this.#calls++;
    return new Promise<ReadOutcome>((resolve) =>
      sim.at(travel, () => {
        // The compiled graph lags: sometimes only the version is returned.
        const { version, graph } = sim.platform;
        resolve({ kind: "read", version, graph: sim.chance(0.7) ? graph : undefined });
      }),
    ).then((outcome) => {
      this.#calls--;
      return this.#later(travel, () => {
        sim.outcomeUnknown = false;
        return outcome;
      });
    });
  }

  /** The database: each call is a transaction, which a crash neither tears nor loses. */
  #transactions(): StoredFiles {
    const { sim } = this;
    const database = this.#database;
    const counted = <Result>(result: Promise<Result>): Promise<Result> => {
      sim.storing++;
      return result.finally(() => sim.storing--);
    };
    return {
      read: (name) => counted(database.read(name)),
      write: (name, text) => counted(database.write(name, text)),
      replace: (name, text) => counted(database.replace(name, text)),
      flush: () => database.flush(),
      rename: (from, to) => counted(database.rename(from, to)),
      flushFolder: () => database.flushFolder(),
      create: (name, text) => counted(database.create(name, text)),
      remove: (name) => counted(database.remove(name)),
    };
  }

  #storage(disk: StoredFiles): Storage {
    /** A crash during a write leaves it done or not. */
    const touch = <T>(act: () => T | Promise<T>): Promise<T> => {
      if (this.dead) return never();
      const early = this.#crashIn === 0 && this.sim.chance(0.5);
      if (early) {
        void act();
        this.#dies();
        return never();
      }
      if (this.#dies()) return never();
      const roll = this.sim.faults ? this.sim.random() : 1;
      // It fails with the write done or not; or it is slow, while heartbeats continue, and the write is done in
      // between.
      if (roll < 0.01) this.sim.disturbed();
      if (roll < 0.004) {
        if (this.sim.chance(0.5)) void act();
        return Promise.reject(new Error("EIO: the disk failed"));
      }
      if (roll >= 0.01) {
        const result = act();
        return result instanceof Promise
          ? result.then((value) => (this.dead ? never() : value))
          : Promise.resolve(result);
      }
      const whole = this.sim.random() * 6_000;
      let done: T | Promise<T>;
      this.sim.at(this.sim.random() * whole, () => {
        if (!this.dead) done = act();
      });
      return this.#later(whole, () => done as T);
    };
    return {
      read: (name) => touch(() => disk.read(name)),
      write: (name, text) => touch(() => disk.write(name, text)),
      replace: (name, text) => touch(() => disk.replace(name, text)),
      flush: (name) => touch(() => disk.flush(name)),
      rename: (from, to) => touch(() => disk.rename(from, to)),
      flushFolder: () => touch(() => disk.flushFolder()),
      create: (name, text) => touch(() => disk.create(name, text)),
      remove: (name) => touch(() => disk.remove(name)),
    };
  }
}

let lives = 0;

/** What sync stores its files in, at once or in a transaction. */
type StoredFiles = {
  readonly [Name in keyof Storage]: (
    ...args: Parameters<Storage[Name]>
  ) => Awaited<ReturnType<Storage[Name]>> | ReturnType<Storage[Name]>;
};

interface Inode {
  text: string;
  /** The flushed content; undefined if none. */
  safe: string | undefined;
}

/** A disk that forgets: unflushed content may be lost, torn or there after a crash; the same for names. */
class Disk {
  #names = new Map<string, Inode>();
  #safeNames = new Map<string, Inode>();

  constructor(private readonly sim: Simulation) {}

  read(name: string): string | undefined {
    return this.#names.get(name)?.text;
  }

  write(name: string, text: string): void {
    this.#names.set(name, { text, safe: undefined });
  }

  replace(name: string, text: string): void {
    this.write(name, text);
  }

  flush(name: string): void {
    const inode = this.#names.get(name);
    if (inode && this.#reachesPlatter()) inode.safe = inode.text;
  }

  rename(from: string, to: string): void {
    const inode = this.#names.get(from);
    if (!inode) throw new Violation(`rename of ${from}, which is not there`);
    this.#names.delete(from);
    this.#names.set(to, inode);
  }

  flushFolder(): void {
    if (this.#reachesPlatter()) this.#safeNames = new Map(this.#names);
  }

  /** Without a flush, whether the system has written something before the crash is random. */
  #reachesPlatter(): boolean {
    return !this.sim.breaks.skipFlush || this.sim.chance(0.5);
  }

  create(name: string, text: string): boolean {
    if (this.#names.has(name)) return false;
    this.write(name, text);
    return true;
  }

  remove(name: string): void {
    this.#names.delete(name);
  }

  crash(): void {
    const process = this.sim.chance(0.3);
    // Ending a process loses nothing that was passed to the system; ending the machine does.
    if (process) return;
    if (this.sim.chance(0.5)) this.#names = new Map(this.#safeNames);
    for (const [name, inode] of this.#names) {
      if (inode.safe === inode.text) continue;
      const { text, safe = "" } = inode;
      const torn = text.slice(0, safe.length + Math.floor(this.sim.random() * (text.length - safe.length)));
      const left = this.sim.pick([text, torn, safe]);
      this.#names.set(name, { text: left, safe: left });
    }
    this.#safeNames = new Map(this.#names);
  }
}
