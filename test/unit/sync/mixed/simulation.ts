/**
 * One flow file, several editors, the command line and another user, on a misbehaving platform: every kind of it, mixed
 * at random with crashes, suspended processes, lagging replicas, and network failures. The text with its comments, the
 * typed client, sync, its journal and its lock are real; the clock, the disk and the network are simulated. The laws of
 * docs/sync.md are checked at each step. Every written value is unique (`u7` by the user, `c3` by the other user), so
 * the simulation knows which user removed a missing one. The same seed gives the same run.
 */
import { IDBFactory } from "fake-indexeddb";
import {
  applyEdits,
  edgesBySource,
  FlowDocument,
  type Graph,
  type GraphEdge,
  type GraphNode,
  graphOf,
  sameElement,
  sameGraph,
} from "../../../../flow";
import { type HttpResponse, PlatformClient, type Transport, TransportError } from "../../../../platform";
import {
  type Cause,
  mergeText,
  platformRemote,
  type Status,
  type Storage,
  type SyncEnvironment,
  type SyncHost,
  SyncSession,
  type Target,
  targetOf,
} from "../../../../sync";
import { BrowserState, type Databases } from "../../../../system/browser/state-store";
import { generator } from "../../../support/random";
import { WebLocks } from "../../../support/web-locks";
import {
  EVENTS,
  type Kind,
  MindedPlatform,
  MOODS,
  type Mood,
  normalized,
  type OnMismatch,
  TRAITS,
  type Trait,
  withLowerIds,
} from "./platform";

export class Violation extends Error {}

/** Deliberate faults, each of which one of the laws must detect. */
export interface Breaks {
  /** A merge drops the last value of the user. */
  readonly losesEdit?: boolean;
  /** A merge writes the whole file from its graph. */
  readonly losesComments?: boolean;
  /** The file on disk isn't read before something is sent. */
  readonly overwrites?: boolean;
  /** The state says "synced", whatever it is. */
  readonly saysSynced?: boolean;
  /** Every answer is requested again. */
  readonly asksOn?: boolean;
}

export interface Tally {
  runs: number;
  crashes: number;
  stops: number;
  conflicts: number;
  merges: number;
  batches: number;
  requests: number;
  /** The most requests that one process made after one event. */
  most: number;
  synced: number;
}

export const newTally = (): Tally => ({
  runs: 0,
  crashes: 0,
  stops: 0,
  conflicts: 0,
  merges: 0,
  batches: 0,
  requests: 0,
  most: 0,
  synced: 0,
});

/** How many requests a process may make after one event, including automatic retries. */
export const MOST_REQUESTS = 30;

const IDENTITY = {
  connection: "c",
  assistant: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
  revision: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002",
};

const START = `# top
assistant: ${IDENTITY.assistant}
revision: ${IDENTITY.revision}
entry: u900 # start

nodes:
  # above-u900
  u900: # n-u900
    type: message
    name: first # f-u900
    edges:
      - to: u901 # e-u900--u901
      - to: u902 # e-u900--u902
  u901: # n-u901
    type: message
    edges:
      # above-e-u901--u902
      - to: u902
  u902: # n-u902
    type: end
`;

/** Kinds that change the content under a version. They make some causes indistinguishable. */
const UNCOUNTED: Partial<Record<Kind, readonly Kind[]>> = {
  // An old copy, and a change that restores the earlier content.
  lag: ["same-version", "restore", "stuck"],
  // A default of the platform, and a field that another user has added to a pushed element.
  defaults: ["same-version", "restore"],
};

/** How long a process may use what it read, including suspensions. */
const READ_BEFORE_MS = 60_000;

/** Where processes store their state: a folder, or the database of a browser whose tabs they are. */
export type Store = "disk" | "browser";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = <T>() => new Promise<T>(() => {});

export async function simulateMixed(
  seed: number,
  kinds: readonly Kind[],
  tally: Tally,
  breaks: Breaks = {},
  store: Store = "disk",
): Promise<void> {
  const run = new Mixed(seed, kinds, tally, breaks, store);
  try {
    await run.run();
    tally.runs++;
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Violation(`${run.name}, seed ${seed}: ${reason}\n  ${run.trace.slice(-60).join("\n  ")}`);
  }
}

class Mixed {
  readonly random: () => number;
  readonly trace: string[] = [];
  readonly name: string;
  readonly platform: MindedPlatform;
  readonly storage = new Map<string, string>();
  readonly database = new IDBFactory() as unknown as Databases;
  readonly locks = new WebLocks();
  /** The number of running database operations. They take no simulated time. */
  storing = 0;
  now = 0;
  /** The file on disk. */
  disk = START;
  faults = true;
  readonly moods: readonly Mood[];
  readonly #events: ReadonlySet<Kind>;
  #schedule: { at: number; order: number; act: () => void }[] = [];
  #order = 0;
  #values = 0;
  #error: unknown;
  readonly editors: Editor[] = [];
  readonly processes = new Set<Process>();
  /** Values that others removed on the platform. */
  readonly taken = new Set<string>();
  /** The time at which such a value was restored. */
  readonly #returned = new Map<string, number>();
  /** Values that the user removed: by typing, or by an answer. */
  readonly given = new Set<string>();

  constructor(
    readonly seed: number,
    kinds: readonly Kind[],
    readonly tally: Tally,
    readonly breaks: Breaks,
    readonly store: Store,
  ) {
    this.random = generator(seed);
    // All requested events happen; a few of the platform's own kinds are mixed in.
    const own = kinds.filter((kind) => !EVENTS.includes(kind as never));
    const some = own.filter(() => this.chance(1.5 / own.length));
    const mixed: readonly Kind[] = some.length > 0 || own.length === 0 ? some : [this.pick(own)];
    const chosen = mixed.filter((kind) => !mixed.some((other) => UNCOUNTED[other]?.includes(kind)));
    this.#events = new Set(EVENTS.filter((event) => kinds.includes(event)));
    this.moods = MOODS.filter((mood) => chosen.includes(mood));
    const traits = new Set(TRAITS.filter((trait) => chosen.includes(trait)));
    const onMismatch = this.pick<OnMismatch>(["409", "409", "409", "422", "ignore"]);
    this.name = `${[...this.moods, ...traits].join("+") || "ordinary"}/${onMismatch}`;
    this.platform = new MindedPlatform(
      { random: this.random, now: () => this.now, at: (delay, act) => this.at(delay, act) },
      graphIn(START),
      traits,
      onMismatch,
      (before, after, ops) => this.#batchApplied(before, after, ops.map(({ op }) => op).join("+")),
    );
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  note(line: string): void {
    this.trace.push(`${Math.round(this.now)} ${line}`);
  }

  at(delay: number, act: () => void): void {
    const event = { at: this.now + delay, order: this.#order++, act };
    let index = this.#schedule.length;
    while (index > 0 && (this.#schedule[index - 1] as typeof event).at > event.at) index--;
    this.#schedule.splice(index, 0, event);
  }

  isPossible(event: Kind): boolean {
    return this.#events.has(event);
  }

  failed(error: unknown): void {
    this.#error ??= error;
  }

  /** An event that may need requests. */
  disturbed(): void {
    for (const process of this.processes) process.requests = 0;
  }

  async run(): Promise<void> {
    this.editors.push(new Editor(this, "editor"));
    if (this.#events.has("editors") && this.chance(0.5)) this.editors.push(new Editor(this, "other editor"));
    const actions = 3 + Math.floor(this.random() * 7);
    let end = 0;
    for (let i = 0; i < actions; i++) {
      end += this.chance(0.1) ? 60_000 * this.random() : 6_000 * this.random() * this.random();
      this.at(end, () => this.#act());
    }
    this.at(end + 30_000 * this.random(), () => this.#calm());
    for (let steps = 0; ; steps++) {
      await this.#stored();
      if (this.#error) throw this.#error;
      if (!this.faults && this.#isDone()) break;
      if (steps > 6_000) throw new Violation(`no end: ${this.editors.map(({ words }) => words).join("; ")}`);
      // If no lock is held, nothing was due before the user's request.
      if (this.#schedule.length === 0) await this.#stored();
      const event = this.#schedule.shift();
      if (!event) throw new Violation(`nothing happens any more: ${this.editors.map(({ words }) => words).join("; ")}`);
      this.now = event.at;
      event.act();
    }
    const why = difference(graphIn(this.disk), this.platform.graph, this.platform.traits);
    if (why) throw new Violation(`file and platform differ in the end: ${why}`);
    for (const process of this.processes) process.kill();
    await this.#stored();
    if (this.#error) throw this.#error;
  }

  /** Every process waits for something other than its store. */
  async #stored(): Promise<void> {
    do await tick();
    while (this.storing > 0);
  }

  #act(): void {
    this.disturbed();
    const roll = this.random();
    const editor = this.pick(this.editors);
    if (roll < 0.3) editor.edit();
    else if (roll < 0.5) this.#colleague();
    else if (roll < 0.65) this.#toggle();
    else if (roll < 0.8 && this.#events.has("cli")) this.#commandLine();
    else if (roll < 0.88 && this.#events.has("stops")) this.#stop(this.pick([...this.processes]));
    else if (roll < 0.94 && this.#events.has("crashes")) editor.process.crashIn = Math.floor(this.random() * 25);
    else editor.goOn();
  }

  #toggle(): void {
    if (this.moods.length === 0) return;
    const mood = this.pick(this.moods);
    if (mood === "restore") {
      this.#foreign("a backup is restored", () => this.platform.restore());
      return;
    }
    const { moods } = this.platform;
    if (!moods.delete(mood)) moods.add(mood);
    this.note(`the platform is ${[...moods].join(", ") || "ordinary"} now`);
  }

  #colleague(): void {
    this.#foreign("a colleague edits", () => this.platform.put(this.mutate(this.platform.graph, "c")));
  }

  /** Another user changes the platform's graph: values that this removes aren't lost by sync. */
  #foreign(what: string, act: () => void): void {
    const { graph } = this.platform;
    act();
    // Under a version that existed before, no batch is rejected because of new content.
    const isKnown = this.platform.graphsOf(this.platform.version).length > 1;
    const [before, after] = [valuesIn(graph), valuesIn(this.platform.graph)];
    for (const value of before) if (!after.has(value)) this.taken.add(value);
    for (const value of after)
      if (!before.has(value)) {
        if (this.taken.delete(value)) this.#returned.set(value, this.now);
        if (isKnown) this.platform.wroteUnseen(value);
      }
    this.note(`${what} → v${this.platform.version}`);
  }

  #commandLine(): void {
    if ([...this.processes].filter((process) => process.label === "cli").length > 1) return;
    void commandLine(this, this.chance(0.5) ? "push" : "pull").catch((error) => this.failed(error));
  }

  #stop(process: Process | undefined): void {
    if (!process || process.isStopped) return;
    this.tally.stops++;
    this.note(`${process.label} is stopped`);
    process.stop();
    this.at(this.random() * 40_000, () => {
      this.disturbed();
      this.note(`${process.label} goes on`);
      process.goOn();
    });
  }

  /** From here on, the platform and the network work, and the user waits for "synced". */
  #calm(): void {
    this.faults = false;
    this.platform.moods.clear();
    for (const process of this.processes) process.crashIn = undefined;
    this.disturbed();
    this.note("all is well from here on");
  }

  #isDone(): boolean {
    const [editor] = this.editors as [Editor];
    const { process } = editor;
    if (!process.isAlive || process.isStopped || process.isBusy || this.platform.isWaiting) return false;
    if ([...this.processes].some((each) => each.label === "cli")) return false;
    const state = editor.status?.state;
    const isSame = editor.isFresh && !difference(graphIn(this.disk), this.platform.graph, this.platform.traits);
    if (state?.kind === "synced" && state.version === this.platform.version && isSame) return true;
    this.disturbed();
    editor.goOn();
    return false;
  }

  /** The user types; values that this removes aren't lost. */
  typed(text: string, change = (graph: Graph) => this.mutate(graph, "u")): string {
    const before = graphIn(text);
    const after = change(before);
    for (const value of valuesIn(before)) if (!valuesIn(after).has(value)) this.given.add(value);
    const edits = mergeText(text, () => after);
    if (!edits) throw new Error("What the user types can't be written.");
    return applyEdits(text, edits).replace(/^( {2}(u\d+):)$/gm, "$1 # n-$2");
  }

  /** The user confirmed a plan, which shows everything that only the platform has. */
  agreedTo(sync: SyncSession, text: string): void {
    const own = valuesIn(graphIn(text));
    for (const value of valuesIn(sync.remote?.graph)) if (!own.has(value)) this.given.add(value);
  }

  /** A platform change was merged into the file: the user's changes stay, including comments. */
  merged(before: string, after: string, who: string): string {
    const kept = this.#broken(after);
    const [own, now] = [valuesIn(graphIn(before)), valuesIn(graphIn(kept))];
    for (const value of own)
      if (!now.has(value) && !this.taken.has(value) && !this.given.has(value) && !this.#wasAway(value))
        throw new Violation(`${who} took ${value} out of the file, and nobody has removed it`);
    const graph = graphIn(kept);
    for (const [comment, isThere] of commentsIn(before))
      if (!kept.includes(`# ${comment}`) && isThere(graph)) throw new Violation(`${who} lost the comment ${comment}`);
    this.tally.merges++;
    return kept;
  }

  /** Whether a value was removed on the platform and restored only just now: a process may have read it before. */
  #wasAway(value: string): boolean {
    return this.now - (this.#returned.get(value) ?? Number.NEGATIVE_INFINITY) < READ_BEFORE_MS;
  }

  #broken(text: string): string {
    const last = [...text.matchAll(/\bu\d+\b/g)].at(-1)?.[0];
    if (this.breaks.losesEdit && last) {
      const graph = graphIn(text);
      const nodes = new Map([...graph.nodes].filter(([id]) => id !== last));
      return applyEdits(text, mergeText(text, () => ({ ...graph, nodes })) ?? []);
    }
    return this.breaks.losesComments ? text.replace(/ # n-u\d+$/m, "") : text;
  }

  written(text: string, who: Process): void {
    if (text === this.disk) return;
    this.disk = text;
    this.note(`${who.label} writes the file`);
    for (const editor of this.editors) editor.diskChanged(who);
  }

  /** Our batch was applied: values that it removes were removed by the user, or shown to them. */
  #batchApplied(before: Graph, after: Graph, ops: string): void {
    this.note(`platform: ${ops} → v${this.platform.version}`);
    this.tally.batches++;
    const [had, left] = [valuesIn(before), valuesIn(after)];
    for (const value of had)
      if (!left.has(value) && !this.given.has(value) && !this.taken.has(value)) {
        if (!this.platform.unshown.has(value))
          this.failed(new Violation(`${value} is overwritten on the platform, and the user hasn't removed it`));
        this.taken.add(value);
      }
    // Without a new version, a batch that was sent before can't be rejected because of this one.
    const isKnown = this.platform.graphsOf(this.platform.version).length > 1;
    for (const value of left) if (isKnown && !had.has(value)) this.platform.wroteUnseen(value);
    for (const value of left) this.taken.delete(value);
  }

  /** One typical change. */
  mutate(graph: Graph, who: "u" | "c"): Graph {
    const value = `${who}${this.#values++}`;
    // The user writes values that the platform may store in another form.
    const text = who === "u" ? this.#inSomeForm(value) : value;
    const ids = [...graph.nodes.keys()];
    const id = this.pick(ids);
    const nodes = new Map(graph.nodes);
    const edges = new Map(graph.edges);
    const roll = this.random();
    if (roll < 0.4) {
      nodes.set(id, { ...(graph.nodes.get(id) as GraphNode), [this.pick(["name", "text"])]: text });
      return { ...graph, nodes };
    }
    if (roll < 0.6) {
      const node =
        who === "u" && this.platform.traits.has("lower-ids") ? this.pick([value, value.toUpperCase()]) : value;
      nodes.set(node, { id: node, type: "message" });
      const edge = text.startsWith("U") ? text : (this.#edgeId(graph, who) ?? `${id}--${value}`);
      edges.set(edge, { id: edge, source: id, target: node });
      return { ...graph, nodes, edges };
    }
    if (roll < 0.7 && ids.length > 2) {
      nodes.delete(id);
      for (const [key, edge] of edges) if (edge.source === id || edge.target === id) edges.delete(key);
      const entry = graph.entry === id ? ids.find((other) => other !== id) : graph.entry;
      return { ...graph, nodes, edges, ...(entry === undefined ? {} : { entry }) };
    }
    if (roll < 0.82 && edges.size > 0) {
      const edge = this.pick([...edges.values()]);
      edges.set(edge.id, { ...edge, when: text });
      return { ...graph, edges };
    }
    if (roll < 0.88 && edges.size > 0) {
      edges.delete(this.pick([...edges.keys()]));
      return { ...graph, edges };
    }
    if (roll < 0.94) return { ...graph, persona: text };
    return { ...graph, variables: new Map([...graph.variables, ["v", { name: "v", type: value }]]) };
  }

  /** Sometimes the user gives an edge an ID that differs from another one only in case. */
  #edgeId({ edges }: Graph, who: "u" | "c"): string | undefined {
    if (who === "c" || !this.platform.traits.has("lowers") || edges.size === 0 || this.chance(0.7)) return undefined;
    const id = this.pick([...edges.keys()]).toUpperCase();
    return edges.has(id) ? undefined : id;
  }

  #inSomeForm(value: string): string {
    const { traits } = this.platform;
    if (!traits.has("trims") && !traits.has("lowers")) return value;
    return this.pick([value, ` ${value}`, `${value} `, `${value}e\u0301`, value.toUpperCase()]);
  }
}

/** A process: it can be suspended and resumed, and can end at any system call. */
class Process {
  isAlive = true;
  isStopped = false;
  crashIn: number | undefined;
  requests = 0;
  #calls = 0;
  #held: (() => void)[] = [];
  readonly #name: string;
  readonly #tab: ReturnType<WebLocks["tab"]>;
  readonly #database: BrowserState;

  constructor(
    readonly sim: Mixed,
    readonly label: string,
    private readonly ended: () => void = () => undefined,
  ) {
    this.#tab = sim.locks.tab();
    this.#database = new BrowserState(sim.database, this.#tab);
    this.#name = sim.store === "browser" ? this.#database.process : `p${lives++}`;
    sim.processes.add(this);
  }

  /** Whether requests are pending. */
  get isBusy(): boolean {
    return this.#calls > 0;
  }

  kill(): void {
    this.isAlive = false;
    this.#tab.end();
    this.sim.processes.delete(this);
  }

  stop(): void {
    this.isStopped = true;
  }

  goOn(): void {
    this.isStopped = false;
    const held = this.#held;
    this.#held = [];
    for (const act of held) this.run(act);
  }

  /** Runs in this process: now, when it is resumed, or never. */
  run(act: () => void): void {
    if (!this.isAlive) return;
    if (this.isStopped) this.#held.push(act);
    else act();
  }

  /** One system call. True if the process has ended here. */
  #ends(): boolean {
    if (!this.isAlive) return true;
    if (this.crashIn === undefined || this.crashIn-- > 0) return false;
    this.sim.tally.crashes++;
    this.sim.note(`${this.label} CRASHES`);
    this.sim.disturbed();
    this.kill();
    this.ended();
    return true;
  }

  /** Input reaches the process when it runs. */
  get<T>(answer: () => T): Promise<T> {
    if (this.#ends()) return never();
    return new Promise((resolve, reject) =>
      this.run(() => {
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  later<T>(ms: number, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => this.sim.at(ms, () => void this.get(answer).then(resolve, reject)));
  }

  get world(): SyncEnvironment {
    const { sim } = this;
    const client = new PlatformClient(this.#transport, { retry: { attempts: 1 } });
    return {
      remote: platformRemote(client, IDENTITY),
      storage: sim.store === "browser" ? this.#inDatabase : this.#storage,
      clock: {
        now: () => sim.now,
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            const wake = () => {
              signal?.removeEventListener("abort", wake);
              this.run(resolve);
            };
            if (signal?.aborted) return wake();
            signal?.addEventListener("abort", wake);
            sim.at(ms, wake);
          }),
      },
      random: sim.random,
      process: this.#name,
      isGone: (name) =>
        sim.store === "browser"
          ? this.#database.isGone(name)
          : ![...sim.processes].some((process) => process.#name === name),
    };
  }

  get #transport(): Transport {
    const { sim } = this;
    return {
      send: async (request) => {
        sim.tally.requests++;
        this.requests++;
        sim.tally.most = Math.max(sim.tally.most, this.requests);
        if (this.requests > MOST_REQUESTS)
          sim.failed(new Violation(`${this.label} makes ${this.requests} requests for one thing that happened`));
        const roll = sim.faults ? sim.random() : 1;
        const travel = () => 5 + sim.random() * 300;
        this.#calls++;
        try {
          if (roll < 0.03) return await this.later(travel(), () => failure("network"));
          // An answer arrives later, whatever the process does meanwhile.
          const answer = await new Promise<HttpResponse>((resolve) =>
            sim.at(travel(), () => resolve(roll < 0.05 ? unavailable : sim.platform.answer(request))),
          );
          sim.note(`${this.label}: ${request.method} → ${answer.status}`);
          if (roll < 0.09) return await this.later(1_000, () => failure("timeout"));
          if (sim.breaks.asksOn) this.requests += MOST_REQUESTS / 2;
          return await this.later(travel(), () => answer);
        } finally {
          this.#calls--;
        }
      },
    };
  }

  get #storage(): Storage {
    const files = this.sim.storage;
    return {
      read: (name) => this.get(() => files.get(name)),
      write: (name, text) => this.get(() => void files.set(name, text)),
      replace: (name, text) => this.get(() => void files.set(name, text)),
      flush: () => this.get(() => undefined),
      rename: (from, to) =>
        this.get(() => {
          files.set(to, files.get(from) as string);
          files.delete(from);
        }),
      flushFolder: () => this.get(() => undefined),
      create: (name, text) =>
        this.get(() => {
          if (files.has(name)) return false;
          files.set(name, text);
          return true;
        }),
      remove: (name) => this.get(() => void files.delete(name)),
    };
  }

  get #inDatabase(): Storage {
    const database = this.#database;
    const { sim } = this;
    /** Like `get`, for operations that take several turns. */
    const stored = <T>(act: () => Promise<T>): Promise<T> => {
      if (this.#ends()) return never();
      return new Promise((resolve, reject) =>
        this.run(() => {
          sim.storing++;
          const then = (next: () => void) => {
            sim.storing--;
            this.run(next);
          };
          act().then(
            (value) => then(() => resolve(value)),
            (error) => then(() => reject(error)),
          );
        }),
      );
    };
    return {
      read: (name) => stored(() => database.read(name)),
      write: (name, text) => stored(() => database.write(name, text)),
      replace: (name, text) => stored(() => database.replace(name, text)),
      flush: () => stored(() => database.flush()),
      rename: (from, to) => stored(() => database.rename(from, to)),
      flushFolder: () => stored(() => database.flushFolder()),
      create: (name, text) => stored(() => database.create(name, text)),
      remove: (name) => stored(() => database.remove(name)),
    };
  }

  /** A sync session in this process. Errors of its host are reported by the simulation. */
  session(
    host: Required<Pick<SyncHost, "mergeIntoFile" | "confirm" | "refresh">>,
    said: (status: Status) => void,
  ): Session {
    const { sim } = this;
    let target: Target | undefined;
    const guarded = <T>(act: () => T): T | Promise<never> => {
      if (!this.isAlive) return never();
      try {
        return act();
      } catch (error) {
        sim.failed(error);
        return never();
      }
    };
    const sync = new SyncSession(
      IDENTITY,
      this.world,
      {
        files: () => ["the file"],
        ...(sim.breaks.overwrites ? {} : { refresh: () => host.refresh() }),
        mergeIntoFile: (merge) =>
          guarded(async () => {
            const saved = await host.mergeIntoFile(merge);
            if (saved) target = saved;
            return saved;
          }),
        confirm: (question, signal) => guarded(async () => host.confirm(question, signal)),
        statusChanged: (status) => {
          if (!this.isAlive) return;
          const { state } = status;
          sim.note(`${this.label}: ${wordsOf(status)}`);
          const claimed = sim.breaks.saysSynced && state.kind === "pending" ? sim.platform.version : undefined;
          if (target && (state.kind === "synced" || claimed !== undefined))
            guarded(() => this.#checkSynced(target as Target, claimed ?? (state as { version: number }).version));
          said(status);
        },
        failed: (error) => {
          if (this.isAlive && !(error instanceof FileChanged)) sim.failed(error);
        },
      },
      this.#name,
    );
    return {
      sync,
      save: (saved, cause) => {
        target = saved;
        sync.save(saved, cause);
      },
    };
  }

  /** "Synced vN" is true if the platform had the file's graph under that version. */
  #checkSynced({ graph }: Target, version: number): void {
    const { platform, tally } = this.sim;
    tally.synced++;
    const graphs = platform.graphsOf(version);
    const { overlooked } = platform;
    const without = (node: GraphNode) =>
      Object.fromEntries(Object.entries(node).filter(([, value]) => !overlooked.has(value as string))) as GraphNode;
    const shown = graphs.map((there) =>
      overlooked.size === 0
        ? there
        : { ...there, nodes: new Map([...there.nodes].map(([id, node]) => [id, without(node)])) },
    );
    const whys = [...graphs, ...shown].map((there) => difference(graph, there, platform.traits));
    if (!whys.includes(undefined))
      throw new Violation(`false "synced v${version}" in ${this.label}: ${whys.join(" / ") || "no such version"}`);
  }
}

interface Session {
  readonly sync: SyncSession;
  save(target: Target, cause: Cause): void;
}

let lives = 0;

const unavailable: HttpResponse = { status: 503, headers: {}, body: "{}" };

function failure(kind: "network" | "timeout"): never {
  throw new TransportError(kind, kind);
}

/** An editor with the file open: a buffer, which it saves and reloads like editors do. */
class Editor {
  process!: Process;
  status: Status | undefined;
  #session!: Session;
  #buffer!: string;
  /** The text on disk when the buffer was last read or written, and when the session was last notified. */
  #loaded!: string;
  #told!: string;
  /** Whether it notices changes by others, and whether merges are saved at once if nothing else is unsaved. */
  readonly #watches: boolean;
  readonly #saves: boolean;
  /** How often the user has pushed what the platform ignored. */
  #ignored = 0;

  constructor(
    private readonly sim: Mixed,
    private readonly label: string,
  ) {
    this.#watches = sim.chance(0.5);
    this.#saves = sim.chance(0.7);
    this.#start();
  }

  get words(): string {
    return `${this.label} ${this.process.isAlive ? "" : "(ended) "}${this.status ? wordsOf(this.status) : ""}`;
  }

  /** Whether the buffer equals the file on disk. */
  get isFresh(): boolean {
    return this.#buffer === this.sim.disk;
  }

  #start(): void {
    const { sim } = this;
    this.process = new Process(sim, this.label, () => sim.at(sim.random() * 1_000, () => this.#start()));
    this.#buffer = this.#loaded = sim.disk;
    this.status = undefined;
    this.#session = this.process.session(
      {
        mergeIntoFile: async (merge) => {
          const isClean = this.#buffer === this.#loaded;
          const edits = mergeText(this.#buffer, merge);
          if (!edits) return undefined;
          this.#buffer = sim.merged(this.#buffer, applyEdits(this.#buffer, edits), this.label);
          // An editor doesn't overwrite a file that it hasn't read.
          if (!isClean || !this.#saves || this.#loaded !== sim.disk) return undefined;
          this.#write();
          this.#told = this.#buffer;
          return targetOf(FlowDocument.read(this.#buffer));
        },
        refresh: async () => {
          const text = await this.process.get(() => sim.disk);
          if (text !== this.#told) this.#tell("outside", text);
        },
        confirm: async ({ reason }) => {
          await this.process.later(sim.chance(0.5) ? 0 : sim.random() * 10_000, () => undefined);
          return this.#confirm(reason);
        },
      },
      (status) => {
        this.status = status;
        if (status.state.kind === "conflict") sim.tally.conflicts++;
      },
    );
    this.#tell("open");
  }

  #confirm(reason: string): boolean {
    const { sim } = this;
    const yes = !sim.faults || sim.chance(0.9);
    // The plan shows everything that only the platform has.
    if (yes && reason === "first-push") sim.agreedTo(this.#session.sync, this.#loaded);
    return yes;
  }

  #tell(cause: Cause, text = this.#loaded): void {
    this.#told = text;
    this.#session.save(targetOf(FlowDocument.read(text)), cause);
  }

  #write(): void {
    this.#loaded = this.#buffer;
    this.sim.written(this.#buffer, this.process);
  }

  /** The user types and saves; changes by others are read first, as editors insist. */
  edit(): void {
    this.process.run(() => {
      if (this.#loaded !== this.sim.disk) this.#buffer = this.#loaded = this.sim.disk;
      this.#buffer = this.sim.typed(this.#buffer);
      this.sim.note(`${this.label}: the user saves`);
      this.#write();
      this.#tell("save");
    });
  }

  /** Another process has written the file. */
  diskChanged(by: Process): void {
    if (by === this.process || !this.#watches) return;
    this.sim.at(50 + this.sim.random() * 500, () =>
      this.process.run(() => {
        if (this.#buffer === this.#loaded) this.#buffer = this.sim.disk;
        if (this.#buffer === this.sim.disk) this.#loaded = this.sim.disk;
        if (this.#told !== this.sim.disk) this.#tell("outside", this.sim.disk);
      }),
    );
  }

  /** Acts like a user waiting for "synced". */
  goOn(): void {
    this.process.run(() => {
      const { sync } = this.#session;
      const state = this.status?.state;
      if (this.#loaded !== this.sim.disk) {
        this.#buffer = this.#loaded = this.sim.disk;
        this.#tell("outside");
      } else if (this.#buffer !== this.#loaded) {
        this.sim.note(`${this.label}: the user saves what was merged`);
        this.#write();
        this.#tell("save");
      } else if (state?.kind === "conflict") this.#resolve(state.conflicts);
      else if (state?.kind === "blocked" && this.sim.platform.traits.has("lower-ids")) this.#use("IDs", withLowerIds);
      else if (state?.kind === "pending" && state.reason === "ignored" && this.#ignored++ > 0) this.#useDefaults();
      // A question that is open is answered in a moment.
      else if (state?.kind === "syncing" || (state?.kind === "pending" && state.reason === "asking")) return;
      else if (
        state?.kind === "diverged" ||
        state?.kind === "unknown" ||
        (state?.kind === "synced" && (this.sim.platform.traits.has("no-read") || this.sim.platform.overlooked.size > 0))
      )
        void sync.pull();
      else if (state?.kind === "synced") void sync.look();
      else void sync.push();
    });
  }

  /** A removed default is added again with every push, which sync doesn't learn: the user writes it out. */
  #useDefaults(): void {
    const { traits } = this.sim.platform;
    const defaults: ReadonlySet<Trait> = new Set(traits.has("defaults") ? ["defaults"] : []);
    this.#use("defaults", (graph) => normalized(graph, defaults));
  }

  /** The platform stores something else than the user wrote, so they use what it stores. */
  #use(what: string, change: (graph: Graph) => Graph): void {
    const changed = this.sim.typed(this.#buffer, change);
    if (changed === this.#buffer) {
      void this.#session.sync.push();
      return;
    }
    this.sim.note(`${this.label}: the user uses the platform's ${what}`);
    this.#buffer = changed;
    this.#write();
    this.#tell("save");
  }

  #resolve(conflicts: Extract<Status["state"], { kind: "conflict" }>["conflicts"]): void {
    const { sim } = this;
    for (const conflict of conflicts) for (const value of valuesIn(conflict)) sim.given.add(value);
    const sides = new Map(conflicts.map(({ key }) => [key, sim.chance(0.5) ? "ours" : "theirs"] as const));
    sim.note(`${this.label}: the user resolves ${[...sides].join(" ")}`);
    void this.#session.sync.resolve(sides);
  }
}

/** Another program has written the file after a command read it. */
class FileChanged extends Error {}

/** Runs the command line once. */
async function commandLine(sim: Mixed, work: "push" | "pull"): Promise<void> {
  const process = new Process(sim, "cli");
  let known = sim.disk;
  const unchanged = () => {
    if (sim.disk !== known) throw new FileChanged();
  };
  if (sim.isPossible("crashes") && sim.chance(0.15)) process.crashIn = Math.floor(sim.random() * 40);
  sim.note(`cli ${work}`);
  let status: Status | undefined;
  const { sync, save } = process.session(
    {
      mergeIntoFile: async (merge) => {
        const edits = mergeText(known, merge);
        if (!edits) return undefined;
        const merged = sim.merged(known, applyEdits(known, edits), "cli");
        const isWritten = await process.get(() => {
          if (sim.disk !== known) return false;
          sim.written(merged, process);
          return true;
        });
        if (!isWritten) return undefined;
        known = merged;
        return targetOf(FlowDocument.read(merged));
      },
      refresh: () => process.get(unchanged),
      confirm: async () => {
        sim.agreedTo(sync, sim.disk);
        return true;
      },
    },
    (said) => {
      status = said;
    },
  );
  save(targetOf(FlowDocument.read(sim.disk)), "manual");
  await sync[work]();
  const state = status?.state;
  if (state?.kind === "conflict") {
    for (const conflict of state.conflicts) for (const value of valuesIn(conflict)) sim.given.add(value);
    const side = sim.chance(0.5) ? "ours" : "theirs";
    await sync.resolve(new Map(state.conflicts.map(({ key }) => [key, side])));
    await sync[work]();
  }
  await sync.close();
  process.kill();
}

function graphIn(text: string): Graph {
  return graphOf(FlowDocument.read(text));
}

function wordsOf({ state }: Status): string {
  const more = "version" in state ? ` v${state.version}` : "reason" in state ? ` ${state.reason}` : "";
  return `${state.kind}${more}${"message" in state ? `: ${state.message}` : ""}`;
}

/** Values written by users: names of nodes, and instructions. */
export function valuesIn(data: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (part: unknown, key?: string): void => {
    if (typeof part === "string") {
      const [, value] = /^\s*([uc]\d+)(?:e\u0301|\u00e9)?\s*$/i.exec(part) ?? [];
      if (value && key !== "source" && key !== "target" && key !== "entry") found.add(value.toLowerCase());
    } else if (part instanceof Map) for (const item of part.values()) visit(item);
    else if (Array.isArray(part)) for (const item of part) visit(item);
    else if (typeof part === "object" && part !== null)
      for (const [name, item] of Object.entries(part)) visit(item, name);
  };
  visit(data);
  return found;
}

/** The comments of a file, each with its element: as long as that is in the flow, the comment is in the file. */
function commentsIn(text: string): [string, (graph: Graph) => boolean][] {
  return Array.from(
    text.matchAll(/# (\S+)$\s*(\w*)/gm),
    ([, comment = "", next = ""]): [string, (graph: Graph) => boolean] => {
      const [, kind, id = ""] = /^(n|f|e|above|above-e)-(u.*)$/.exec(comment) ?? [];
      if (kind === "n") return [comment, (graph) => graph.nodes.has(id)];
      // When its node was removed from the text, it belongs to the one below.
      if (kind === "above") return [comment, (graph) => graph.nodes.has(next)];
      if (kind === "f") return [comment, (graph) => graph.nodes.get(id)?.name !== undefined];
      if (kind === "e" || kind === "above-e") return [comment, (graph) => graph.edges.has(id)];
      return [comment, (graph) => comment !== "start" || graph.entry !== undefined];
    },
  );
}

/** Why two graphs differ on a platform with these traits; undefined if they are equal. */
export function difference(file: Graph, there: Graph, traits: ReadonlySet<Trait>): string | undefined {
  const [a, b] = [file, there].map((graph) => comparable(graph, traits)) as [Graph, Graph];
  if (sameGraph(a, b)) return undefined;
  for (const which of ["nodes", "edges", "variables"] as const) {
    const ids = new Set([...a[which].keys(), ...b[which].keys()]);
    for (const id of ids) {
      const [one, other] = [a[which].get(id), b[which].get(id)];
      if (!one || !other || !sameElement(one, other))
        return `${id}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
    }
  }
  return "persona, entry, outputs or an order";
}

/** If the platform renames or orders edges, those of one source are compared by content. */
function comparable(given: Graph, traits: ReadonlySet<Trait>): Graph {
  const isRenamed = traits.has("edge-names") || traits.has("lowers");
  const numbered = [...given.edges.values()].map((edge, index) => ({ ...edge, id: `${index}` }));
  const graph = normalized(isRenamed ? { ...given, edges: byId(numbered) } : given, traits);
  if (!isRenamed && !traits.has("shuffle")) return graph;
  const edges = [...edgesBySource(graph).values()].flatMap((list) => {
    const said = list.map((edge) => {
      const { id, ...rest } = edge;
      return [JSON.stringify(Object.entries(rest).sort()), edge] as const;
    });
    if (traits.has("shuffle")) said.sort(([one], [other]) => (one < other ? -1 : 1));
    return said.map(([words, edge], index) => (isRenamed ? { ...edge, id: `${words} ${index}` } : edge));
  });
  return { ...graph, edges: byId(edges) };
}

function byId(edges: readonly GraphEdge[]): Graph["edges"] {
  return new Map(edges.map((edge) => [edge.id, edge]));
}
