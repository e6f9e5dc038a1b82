/**
 * The sandbox's state: tables of plain records in memory, changed only by commits. A commit is an atomic list of
 * changes; with a data directory it is also a line of the journal. Records are immutable, so readers always see a
 * consistent state.
 */
import { applyOps, emptyGraph, type Graph, type GraphOp, graphFromWire, graphToWire, type WireGraph } from "../../flow";
import { Journal, type Recovered } from "./journal";
import type { CompilePlan, Tables } from "./records";

type TableName = keyof Tables;

/** Records are stored whole; a graph is large, so only the operations that change it are stored. */
export type Change =
  | { readonly [T in TableName]: { readonly put: T; readonly id: string; readonly value: Tables[T] } }[TableName]
  | { readonly edit: string; readonly ops: readonly GraphOp[]; readonly compile: CompilePlan };

/** The current graph of a flow, and those that were last compiled and last executable. */
export interface FlowGraphs {
  readonly current: Graph;
  readonly compiled?: VersionedGraph;
  readonly executable?: VersionedGraph;
}

export interface VersionedGraph {
  readonly graph: Graph;
  readonly version: number;
}

export class Store {
  #tables = emptyTables();
  #graphs = new Map<string, FlowGraphs>();
  #journal: Journal | undefined;
  #lastCommit = 0;
  readonly #now: () => number;

  private constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens the state of a directory, or an empty state in memory. */
  static async open(options: {
    readonly directory?: string | undefined;
    readonly now: () => number;
    readonly report: (message: string) => void;
    readonly snapshotAfter?: number;
  }): Promise<Store> {
    const store = new Store(options.now);
    if (options.directory !== undefined)
      store.#journal = await Journal.open(options.directory, {
        load: (recovered) => store.#load(recovered),
        stateNow: () => store.#dump(),
        report: options.report,
        snapshotAfter: options.snapshotAfter,
      });
    return store;
  }

  /** Sandbox time of the last commit, or 0 for an empty store. */
  get lastCommit(): number {
    return this.#lastCommit;
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    return this.#tables[table].get(id);
  }

  /** The records of a table, oldest first. */
  all<T extends TableName>(table: T): IterableIterator<Tables[T]> {
    return this.#tables[table].values();
  }

  /** The graphs of a flow at a time, after compilations that are done by then. */
  graphs(flow: string, at: number): FlowGraphs {
    const graphs = this.#graphs.get(flow) ?? { current: emptyGraph };
    const record = this.get("flows", flow);
    if (!record?.compile || record.compile.done_at > at) return graphs;
    const compiled = { graph: graphs.current, version: record.graph_version };
    return { ...graphs, compiled, ...(record.compile.errors.length === 0 ? { executable: compiled } : {}) };
  }

  /** `made` is the resulting graph of the edit among the changes, if it is known already. */
  commit(changes: readonly Change[], made?: Graph): void {
    const at = this.#now();
    this.#apply(changes, at, made);
    this.#journal?.append(at, changes);
  }

  /** Resolves when all commits so far are durable. */
  async durable(): Promise<void> {
    await this.#journal?.flushed();
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  #apply(changes: readonly Change[], at: number, made?: Graph): void {
    this.#lastCommit = at;
    for (const change of changes) {
      if ("put" in change) {
        (this.#tables[change.put] as Map<string, unknown>).set(change.id, change.value);
        continue;
      }
      const flow = this.get("flows", change.edit);
      const before = this.graphs(change.edit, at);
      const graph = made ?? applyOps(before.current, change.ops).graph;
      if (!flow || !graph) throw new Error("A committed graph change doesn't apply.");
      this.#graphs.set(change.edit, { ...before, current: graph });
      this.#tables.flows.set(change.edit, {
        ...flow,
        graph_version: flow.graph_version + 1,
        updated_at: new Date(at).toISOString(),
        compile: change.compile,
      });
    }
  }

  #load({ snapshot, commits }: Recovered): void {
    if (snapshot) {
      const state = snapshot as Dump;
      this.#lastCommit = state.lastCommit;
      for (const [name, records] of Object.entries(state.tables))
        if (Object.hasOwn(this.#tables, name))
          (this.#tables as Record<string, Map<string, unknown>>)[name] = new Map(records);
      this.#graphs = new Map(state.graphs.map(([id, stored]) => [id, loadGraphs(stored)]));
    }
    for (const commit of commits) this.#apply(commit.changes as Change[], commit.at);
  }

  #dump(): Dump {
    return {
      lastCommit: this.#lastCommit,
      tables: Object.fromEntries(Object.entries(this.#tables).map(([name, records]) => [name, [...records]])),
      graphs: [...this.#graphs].map(([id, graphs]) => [id, dumpGraphs(graphs)]),
    };
  }
}

interface Dump {
  readonly lastCommit: number;
  readonly tables: Readonly<Record<string, [string, unknown][]>>;
  readonly graphs: readonly (readonly [string, StoredGraphs])[];
}

interface StoredGraphs {
  readonly current: WireGraph;
  readonly compiled?: { readonly graph: WireGraph; readonly version: number };
  readonly executable?: { readonly graph: WireGraph; readonly version: number };
}

function dumpGraphs({ current, compiled, executable }: FlowGraphs): StoredGraphs {
  return {
    current: graphToWire(current),
    ...(compiled ? { compiled: { ...compiled, graph: graphToWire(compiled.graph) } } : {}),
    ...(executable ? { executable: { ...executable, graph: graphToWire(executable.graph) } } : {}),
  };
}

function loadGraphs({ current, compiled, executable }: StoredGraphs): FlowGraphs {
  const load = (wire: WireGraph) => graphFromWire(wire) ?? emptyGraph;
  return {
    current: load(current),
    ...(compiled ? { compiled: { ...compiled, graph: load(compiled.graph) } } : {}),
    ...(executable ? { executable: { ...executable, graph: load(executable.graph) } } : {}),
  };
}

function emptyTables(): { [T in TableName]: Map<string, Tables[T]> } {
  return {
    keys: new Map(),
    assistants: new Map(),
    flows: new Map(),
    reviews: new Map(),
    workflows: new Map(),
    executions: new Map(),
    calls: new Map(),
    spend: new Map(),
    events: new Map(),
  };
}
