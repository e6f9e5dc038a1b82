/**
 * The sandbox's state: tables of plain records in memory, changed only by commits. A commit is an atomic list of
 * changes; with a data directory the whole state is then written to a file. Records are immutable, so readers always see
 * a consistent state.
 */
import { emptyGraph, type Graph, graphFromWire, graphToWire, type WireGraph } from "../../flow";
import type { CompilePlan, Tables } from "./records";
import { StateFile } from "./state-file";

type TableName = keyof Tables;

/** A record, or the new graph of a flow. */
export type Change =
  | { readonly [T in TableName]: { readonly put: T; readonly id: string; readonly value: Tables[T] } }[TableName]
  | { readonly edit: string; readonly graph: Graph; readonly compile: CompilePlan };

/** The current graph of a flow, and those that were last compiled and last executable. */
export interface FlowGraphs<Format = Graph> {
  readonly current: Format;
  readonly compiled?: VersionedGraph<Format>;
  readonly executable?: VersionedGraph<Format>;
}

interface VersionedGraph<Format> {
  readonly graph: Format;
  readonly version: number;
}

export class Store {
  #tables = {
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
  #graphs = new Map<string, FlowGraphs>();
  #file: StateFile | undefined;
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
  }): Promise<Store> {
    const store = new Store(options.now);
    if (options.directory !== undefined)
      store.#file = await StateFile.open(options.directory, {
        load: (state) => store.#load(state as Dump),
        stateNow: () => store.#dump(),
        report: options.report,
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

  commit(changes: readonly Change[]): void {
    const at = this.#now();
    this.#lastCommit = at;
    for (const change of changes) {
      if ("put" in change) (this.#tables[change.put] as Map<string, unknown>).set(change.id, change.value);
      else this.#edit(change, at);
    }
    this.#file?.changed();
  }

  /** Resolves when all commits so far are durable. */
  async durable(): Promise<void> {
    await this.#file?.flushed();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #edit({ edit: id, graph, compile }: Extract<Change, { edit: string }>, at: number): void {
    const flow = this.get("flows", id);
    if (!flow) throw new Error("The graph of an unknown flow was changed.");
    this.#graphs.set(id, { ...this.graphs(id, at), current: graph });
    this.#tables.flows.set(id, {
      ...flow,
      graph_version: flow.graph_version + 1,
      updated_at: new Date(at).toISOString(),
      compile,
    });
  }

  #load(state: Dump): void {
    const graphs = new Map(
      state.graphs.map(([id, stored]) => [id, convertGraphs(stored, (wire) => graphFromWire(wire) ?? emptyGraph)]),
    );
    const tables = Object.entries(state.tables).map(([name, records]) => [name, new Map(records)] as const);
    for (const [name, records] of tables)
      if (Object.hasOwn(this.#tables, name)) (this.#tables as Record<string, Map<string, unknown>>)[name] = records;
    this.#graphs = graphs;
    this.#lastCommit = state.lastCommit;
  }

  #dump(): Dump {
    return {
      lastCommit: this.#lastCommit,
      tables: Object.fromEntries(Object.entries(this.#tables).map(([name, records]) => [name, [...records]])),
      graphs: [...this.#graphs].map(([id, graphs]) => [id, convertGraphs(graphs, graphToWire)]),
    };
  }
}

interface Dump {
  readonly lastCommit: number;
  readonly tables: Readonly<Record<string, [string, unknown][]>>;
  readonly graphs: readonly (readonly [string, FlowGraphs<WireGraph>])[];
}

/** Converts each graph of a flow, to store or to load it. */
function convertGraphs<From, To>(
  { current, compiled, executable }: FlowGraphs<From>,
  convert: (graph: From) => To,
): FlowGraphs<To> {
  return {
    current: convert(current),
    compiled: compiled && { ...compiled, graph: convert(compiled.graph) },
    executable: executable && { ...executable, graph: convert(executable.graph) },
  };
}
