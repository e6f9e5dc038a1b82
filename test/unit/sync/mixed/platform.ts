/**
 * A misbehaving platform on the wire. Its kinds can be mixed, and some of them come and go. It is independent of sync:
 * it answers requests, and remembers its graphs.
 */
import {
  applyOps,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphOp,
  type GraphVariable,
  graphToWire,
} from "../../../../flow";
import type { HttpRequest, HttpResponse } from "../../../../platform";

/** Kinds that come and go during a run. */
export const MOODS = [
  /** A batch is answered with 200, but graph and version are unchanged; the answer says so. */
  "deaf",
  /** The same, but the answer says that the graph was updated. */
  "deaf-updated",
  /** Reads return the graph of some seconds ago. */
  "lag",
  /** A gateway answers a batch with 200 `{"ok": true}`, and forwards it or not. */
  "gateway",
  /** A batch is answered with 202 and applied later. */
  "later",
  /** A batch is answered with 504, and arrives later. */
  "late",
  /** A batch arrives, and once more later. */
  "twice",
  /** Changes by others make no version. */
  "same-version",
  /** A backup is restored: an earlier graph, under its old version or the current one. */
  "restore",
] as const;

/** Kinds that stay. */
export const TRAITS = [
  /** It assigns edge IDs. */
  "edge-names",
  /** The revision can't be read. */
  "no-read",
  /** Edges are in a different order with every read. */
  "shuffle",
  /** Versions jump. */
  "jump",
  /** Nothing makes a version. */
  "stuck",
  /** Whitespace around strings is trimmed, and Unicode is composed. */
  "trims",
  /** Names of nodes and IDs of edges are lower-cased. */
  "lowers",
  /** IDs of nodes are lower-cased, wherever they are. */
  "lower-ids",
  /** Elements of a batch get defaults. */
  "defaults",
] as const;

/** Events around the platform. */
export const EVENTS = [
  /** The command line pushes and pulls the same file. */
  "cli",
  /** A second editor has the file open. */
  "editors",
  /** Processes are suspended and resumed. */
  "stops",
  /** Processes end at any moment. */
  "crashes",
] as const;

export type Mood = (typeof MOODS)[number];
export type Trait = (typeof TRAITS)[number];
export type Kind = Mood | Trait | (typeof EVENTS)[number];

export interface Chance {
  random(): number;
  now(): number;
  at(delay: number, act: () => void): void;
}

/** The response to a batch made for another version. */
export type OnMismatch = "409" | "422" | "ignore";

interface Moment {
  readonly at: number;
  readonly version: number;
  readonly graph: Graph;
}

const LAG_MS = 6_000;

export class MindedPlatform {
  version = 1;
  readonly moods = new Set<Mood>();
  /** All graphs that ever had a version. */
  readonly #had = new Map<number, Graph[]>();
  /** The history, for lagging reads. */
  readonly #past: Moment[] = [];
  /** Values written without a version since the graph was last returned. */
  unshown = new Set<string>();
  /** Of those, what was added to an element of a batch: its answer can't show whether that is a default of the platform. */
  readonly overlooked = new Set<string>();
  /** For each batch that will be applied later, the values written without a version since it was sent. */
  readonly #late = new Set<Set<string>>();
  #names = 0;

  constructor(
    private readonly world: Chance,
    public graph: Graph,
    readonly traits: ReadonlySet<Trait>,
    private readonly onMismatch: OnMismatch,
    /** Called when a batch was applied, with the graph before and after it. */
    private readonly applied: (before: Graph, after: Graph, ops: readonly GraphOp[]) => void,
  ) {
    this.#store(graph);
  }

  graphsOf(version: number): readonly Graph[] {
    return this.#had.get(version) ?? [];
  }

  /** A change by others. */
  put(graph: Graph): void {
    this.graph = graph;
    if (!this.moods.has("same-version") && !this.traits.has("stuck")) this.version += this.#step();
    this.#store(graph);
  }

  /** Restores an earlier graph. */
  restore(): void {
    const back = this.#past[Math.floor(this.world.random() * this.#past.length)];
    if (!back) return;
    this.graph = back.graph;
    const roll = this.world.random();
    if (roll < 0.3) this.version = back.version;
    else if (roll < 0.6 && !this.traits.has("stuck")) this.version += this.#step();
    this.#store(this.graph);
  }

  answer({ method, body }: HttpRequest): HttpResponse {
    if (method === "GET") return this.#read();
    const { ops, base_version } = body as { ops: readonly GraphOp[]; base_version?: number };
    if (this.moods.has("deaf") || this.moods.has("deaf-updated")) return this.#result(this.moods.has("deaf-updated"));
    if (this.moods.has("later")) {
      this.#applyLater(4_000, ops, base_version);
      return json(202, { status: "accepted" });
    }
    if (this.moods.has("late") || this.moods.has("twice")) {
      const answer = this.moods.has("twice") ? this.#apply(ops, base_version) : json(504, {});
      this.#applyLater(8_000, ops, base_version);
      return answer;
    }
    if (this.moods.has("gateway")) {
      if (this.world.random() < 0.5) this.#apply(ops, base_version);
      return json(200, { ok: true });
    }
    return this.#apply(ops, base_version);
  }

  /** Whether a batch will be applied later. */
  get isWaiting(): boolean {
    return this.#late.size > 0;
  }

  /** Another user wrote a value without a version: what was sent before can't be rejected because of it. */
  wroteUnseen(value: string): void {
    for (const values of [this.unshown, ...this.#late]) values.add(value);
  }

  #applyLater(within: number, ops: readonly GraphOp[], base: number | undefined): void {
    const unseen = new Set(this.unshown);
    this.#late.add(unseen);
    this.world.at(500 + this.world.random() * within, () => {
      this.#late.delete(unseen);
      for (const value of unseen) this.unshown.add(value);
      this.#apply(ops, base);
    });
  }

  #step(): number {
    return this.traits.has("jump") ? 1 + Math.floor(this.world.random() * 5) : 1;
  }

  #store(graph: Graph): void {
    this.#had.set(this.version, [...(this.#had.get(this.version) ?? []), graph]);
    this.#past.push({ at: this.world.now(), version: this.version, graph });
  }

  #read(): HttpResponse {
    if (this.traits.has("no-read")) return json(404, { error: "not_found", message: "No such revision." });
    const now = this.#past.at(-1) as Moment;
    const shown = this.moods.has("lag")
      ? (this.#past.findLast(({ at }) => at <= this.world.now() - LAG_MS) ?? this.#past[0] ?? now)
      : now;
    if (shown === now) this.unshown.clear();
    return json(200, {
      id: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002",
      graph_version: shown.version,
      compilation_status: "succeeded",
      compiled_graph: { graph_version: shown.version, ...this.#wire(shown.graph) },
    });
  }

  #wire(graph: Graph): object {
    const wire = graphToWire(graph);
    if (!this.traits.has("shuffle")) return wire;
    const edges = [...wire.edges];
    for (let at = edges.length - 1; at > 0; at--) {
      const other = Math.floor(this.world.random() * (at + 1));
      [edges[at], edges[other]] = [edges[other] as GraphEdge, edges[at] as GraphEdge];
    }
    return { ...wire, edges };
  }

  #apply(ops: readonly GraphOp[], base: number | undefined): HttpResponse {
    if (base !== undefined && base !== this.version) {
      if (this.onMismatch === "ignore") return this.#result(false);
      if (this.onMismatch === "409") return json(409, { error: "conflict", message: "Another version." });
      return json(422, { detail: [{ loc: ["body", "base_version"], msg: "Another version.", type: "value_error" }] });
    }
    const before = this.graph;
    for (const op of ops)
      if (op.op === "update_node_fields")
        for (const value of Object.values(before.nodes.get(op.node_id) ?? {}))
          if (this.unshown.has(value as string)) this.overlooked.add(value as string);
    const { graph, problem } = applyOps(before, ops);
    if (!graph) {
      const loc = ["body", "ops", problem.index, ...problem.path];
      return json(422, { detail: [{ loc, msg: problem.message, type: "value_error" }] });
    }
    // An edge is removed with its nodes, also one that was added unseen.
    const edges = [...graph.edges].filter(
      ([, { source, target }]) => graph.nodes.has(source) && graph.nodes.has(target),
    );
    const whole = { ...graph, edges: new Map(edges) };
    const kept = normalized(this.traits.has("lower-ids") ? withLowerIds(whole) : whole, this.traits, before);
    this.graph = this.traits.has("edge-names") ? this.#renamed(before, kept) : kept;
    if (!this.traits.has("stuck")) this.version += this.#step();
    this.#store(this.graph);
    this.applied(before, this.graph, ops);
    return this.#result(true);
  }

  /** New edges get the platform's own IDs. */
  #renamed(before: Graph, after: Graph): Graph {
    const edges = [...after.edges.values()].map((edge) => {
      const known = before.edges.get(edge.id);
      const isNew = !known || known.source !== edge.source || known.target !== edge.target;
      return isNew ? { ...edge, id: `edge_${++this.#names}` } : edge;
    });
    return { ...after, edges: new Map(edges.map((edge) => [edge.id, edge])) };
  }

  #result(updated: boolean): HttpResponse {
    this.unshown.clear();
    return json(200, {
      updated,
      graph_version: this.version,
      validation: { valid: true, findings: [], normalized_graph: this.#wire(this.graph) },
      revision: { graph_version: this.version },
    });
  }
}

/** How the platform stores a graph: unchanged elements stay as they are. */
export function normalized(graph: Graph, traits: ReadonlySet<Trait>, before?: Graph): Graph {
  const text = (value: unknown) =>
    traits.has("trims") && typeof value === "string" ? value.trim().normalize("NFC") : value;
  const form = (element: object, extra: object) => {
    const entries = Object.entries(element).map(([field, value]) => [field, text(value)]);
    return { ...(traits.has("defaults") ? extra : {}), ...Object.fromEntries(entries) };
  };
  const lower = (value: unknown) => (traits.has("lowers") && typeof value === "string" ? value.toLowerCase() : value);
  const nodes = [...graph.nodes].map(([id, node]): [string, GraphNode] => {
    if (before?.nodes.get(id) === node) return [id, node];
    const kept = form(node, { timeout: 30 });
    return [id, { ...kept, ...(node.name === undefined ? {} : { name: lower(text(node.name)) }) } as GraphNode];
  });
  const edges = [...graph.edges].map(([id, edge]): [string, GraphEdge] => {
    if (before?.edges.get(id) === edge) return [id, edge];
    const kept = { ...form(edge, { label: "-" }), id: lower(id) } as GraphEdge;
    return [kept.id, kept];
  });
  const variables = [...graph.variables].map(([name, variable]): [string, GraphVariable] => [
    name,
    before?.variables.get(name) === variable ? variable : (form(variable, {}) as GraphVariable),
  ]);
  return {
    ...graph,
    ...(graph.persona === undefined ? {} : { persona: text(graph.persona) as string }),
    nodes: new Map(nodes),
    edges: new Map(edges),
    variables: new Map(variables),
  };
}

/** A node whose ID was written in upper case takes the place of the one in lower case. */
export function withLowerIds(graph: Graph): Graph {
  const lower = (id: string) => id.toLowerCase();
  const nodes = new Map<string, GraphNode>();
  for (const [id, node] of graph.nodes)
    nodes.set(
      lower(id),
      lower(id) === id && !nodes.has(id) ? node : { ...nodes.get(lower(id)), ...node, id: lower(id) },
    );
  const edges = [...graph.edges].map(([id, edge]): [string, GraphEdge] => {
    const { source, target } = edge;
    const isLower = lower(source) === source && lower(target) === target;
    return [id, isLower ? edge : { ...edge, source: lower(source), target: lower(target) }];
  });
  const entry = graph.entry === undefined ? {} : { entry: lower(graph.entry) };
  return { ...graph, ...entry, nodes, edges: new Map(edges) };
}

function json(status: number, body: object): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
