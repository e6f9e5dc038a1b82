/**
 * The graph of a flow, by number rather than by name, for rules and features. Computed once for each shape of a
 * document. Names become numbers once per block, so after an edit only the changed block is read and the rest is work
 * on integer arrays.
 */

import { AttachedCache } from "./attached-cache";
import type { FlowDocument, NodeBlock } from "./document";
import { nodeType } from "./fields";
import { topText } from "./graph/graph-of";
import { type Links, reach } from "./graph/links";
import { IncrementalMap } from "./incremental-map";
import type { EdgeModel } from "./model";
import { isNull, pairOf, textOf } from "./values";

export interface Analysis {
  readonly document: FlowDocument;
  /** The nodes; a node's number is its index here. The first of several nodes with the same ID represents the ID. */
  readonly nodes: readonly NodeBlock[];
  /** The number of a node, or -1. */
  indexOf(id: string): number;
  /** The number of the entry node, or -1. */
  readonly entry: number;
  /**
   * Which nodes can be reached from the entry (1 by number), including nodes that unknown fields refer to. Undefined if
   * that can't be known: there's no entry, or a node on the way has syntax errors.
   */
  readonly reachable: Uint8Array | undefined;
  /** The targets of each node, in edge order; unknown targets are left out. */
  readonly out: Links;
  /** The sources of each node. */
  readonly in: Links;
  readonly parts: readonly NodeParts[];
  /** The number of the variable with a symbol, or -1. */
  variableOf(symbol: number): number;
  symbolOf(name: string): number;
  /** The number of symbols: names of nodes, targets, and variables. */
  readonly symbols: number;
}

/** What a node contributes to the graph, with names as symbols. */
export interface NodeParts {
  readonly id: number;
  /** A known type that ends the conversation, a known type that doesn't, or an unknown type (or none). */
  readonly kind: "terminal" | "step" | "unknown";
  /** The target of each edge; -1 if it has none. */
  readonly targets: readonly number[];
  /** The variable of each use, in the order of `refs`. */
  readonly uses: readonly number[];
  /** The kind of each use. */
  readonly useKinds: readonly number[];
  /** Whether edges of different nodes may get the same ID: some edge has an explicit one, or the node's ID contains `--`. */
  readonly mayShareIds: boolean;
  /** Whether some edge mentions a variable. */
  readonly asks: boolean;
  /** The symbol of the id in lower case. */
  readonly foldedId: number;
  /** For each edge, whether it is taken on an event. */
  readonly events: readonly boolean[];
  /** For each edge, whether no run can take it, regardless of conditions; empty if there's no such edge. */
  readonly dead: readonly boolean[];
  /** Nodes mentioned in unknown fields: this node may lead to them. */
  readonly named: readonly number[];
  /** The node or its edges couldn't be read, so it may lead anywhere. */
  readonly isBroken: boolean;
}

/** `like` is a document whose results are reused for the blocks that both share; common names get the same symbols. */
export function analyze(document: FlowDocument, like?: FlowDocument): Analysis {
  let analyst = analysts.get(document);
  if (!analyst) {
    analyst = new Analyst(document);
    const other = like && analysts.get(like);
    if (other) analyst.takeOver(other);
    analysts.set(document, analyst);
  }
  return analyst.current();
}

const analysts = new AttachedCache<FlowDocument, Analyst>();

class Analyst {
  #symbols = new Map<string, number>();
  readonly #parts = new IncrementalMap<NodeBlock, NodeParts>((block) => this.#partsOf(block));
  #analysis: Analysis | undefined;
  #shape = -1;

  constructor(private readonly document: FlowDocument) {}

  /** Nodes are mostly in the same order in both. */
  takeOver(other: Analyst): void {
    const known = other.current();
    const { nodes, parts } = known;
    this.#symbols = other.#symbols;
    let next = 0;
    this.#parts.fill(this.document.nodes, (block) => {
      const number = nodes[next] === block ? next : known.indexOf(block.id);
      if (number >= 0) next = number + 1;
      return number >= 0 && nodes[number] === block ? parts[number] : undefined;
    });
  }

  current(): Analysis {
    if (!this.#analysis || this.#shape !== this.document.shape) {
      this.#shape = this.document.shape;
      this.#analysis = this.#make();
    }
    return this.#analysis;
  }

  #make(): Analysis {
    const { document } = this;
    const nodes = document.nodes;
    // Names that no longer exist stay in the table, so it's rebuilt before it grows without bound.
    if (this.#symbols.size > 5_000 + 8 * (nodes.length + document.variables.length)) {
      this.#symbols = new Map();
      this.#parts.clear();
    }
    const { results: parts } = this.#parts.update(nodes);
    const variables = document.variables.map((variable) => this.#symbol(variable.name));
    const entryName = topText(document, "entry");
    const entrySymbol = entryName === undefined ? -1 : this.#symbol(entryName);
    return new ShapeOf(document, parts, this.#symbols, entrySymbol, variables);
  }

  #partsOf(block: NodeBlock): NodeParts {
    const type = block.isBroken ? undefined : nodeType(block.type);
    const { edges, refs, named, isBroken } = block;
    const id = this.#symbol(block.id);
    const folded = block.id.toLowerCase();
    // Small plain arrays: a typed array costs more to create and keep than most nodes need.
    const targets = new Array<number>(edges.length);
    let mayShareIds = block.id.includes("--");
    let hasEvents = false;
    for (let index = 0; index < edges.length; index++) {
      const { to, hasId, isOnEvent } = edges[index] as EdgeModel;
      targets[index] = to === undefined ? -1 : this.#symbol(to);
      mayShareIds ||= hasId;
      hasEvents ||= isOnEvent;
    }
    return {
      id,
      foldedId: folded === block.id ? id : this.#symbol(folded),
      useKinds: refs.length > 0 ? useKinds(block) : none,
      mayShareIds,
      asks: refs.some(({ edge }) => edge !== undefined),
      events: hasEvents ? edges.map((edge) => edge.isOnEvent) : none,
      dead: edges.length > 0 ? deadEdges(block) : none,
      kind: type ? (type.terminal ? "terminal" : "step") : "unknown",
      targets,
      named: named.length > 0 ? named.map((name) => this.#symbol(name)) : none,
      isBroken: isBroken || hasOddEdges(block),
      uses: refs.length > 0 ? refs.map((ref) => this.#symbol(ref.name)) : none,
    };
  }

  #symbol(name: string): number {
    let symbol = this.#symbols.get(name);
    if (symbol === undefined) {
      symbol = this.#symbols.size;
      this.#symbols.set(name, symbol);
    }
    return symbol;
  }
}

/**
 * A class with getters on its prototype. As getters of each object, they would keep the document alive until a major
 * garbage collection, which costs a quarter of the time of checking many files.
 */
class ShapeOf implements Analysis {
  readonly out: Links;
  readonly symbols: number;
  readonly entry: number;
  readonly #nodeOf: Int32Array;
  readonly #variableOf: Int32Array;
  #in: Links | undefined;
  #reachable: Uint8Array | null | undefined;

  constructor(
    readonly document: FlowDocument,
    readonly parts: readonly NodeParts[],
    private readonly symbolsByName: ReadonlyMap<string, number>,
    entrySymbol: number,
    variables: readonly number[],
  ) {
    const count = symbolsByName.size;
    const nodeOf = new Int32Array(count).fill(-1);
    for (let n = parts.length - 1; n >= 0; n--) nodeOf[(parts[n] as NodeParts).id] = n;
    const variableOf = new Int32Array(count).fill(-1);
    for (let v = variables.length - 1; v >= 0; v--) variableOf[variables[v] as number] = v;
    this.symbols = count;
    this.#nodeOf = nodeOf;
    this.#variableOf = variableOf;
    this.out = linksOut(parts, nodeOf);
    this.entry = entrySymbol < 0 ? -1 : (nodeOf[entrySymbol] as number);
  }

  /** Text may have changed since, and with it the blocks, but not their numbers. */
  get nodes(): readonly NodeBlock[] {
    return this.document.nodes;
  }

  indexOf(id: string): number {
    return this.#nodeOf[this.symbolsByName.get(id) ?? this.symbols] ?? -1;
  }

  variableOf(symbol: number): number {
    return this.#variableOf[symbol] ?? -1;
  }

  symbolOf(name: string): number {
    return this.symbolsByName.get(name) ?? -1;
  }

  get reachable(): Uint8Array | undefined {
    if (this.#reachable === undefined) this.#reachable = reachableIn(this, this.#nodeOf) ?? null;
    return this.#reachable ?? undefined;
  }

  get in(): Links {
    this.#in ??= linksIn(this.out);
    return this.#in;
  }
}

function hasOddEdges({ edges, edgesPair }: NodeBlock): boolean {
  const written = edgesPair?.value;
  if (written?.kind !== "list") return !isNull(written);
  return edges.some((edge) => edge.isOdd);
}

/** How a node uses a variable. */
export const UseKind = {
  /** Its own text reads it. */
  reads: 0,
  /** It's mentioned where a run doesn't read it: in an edge, or in `saves`. */
  names: 1,
  sets: 2,
} as const;

const none: readonly never[] = [];

function useKinds({ refs, fields }: NodeBlock): number[] {
  const saves = fields.get("saves")?.value?.span;
  return refs.map(({ kind, edge, span }) => {
    if (kind !== "template") return UseKind.sets;
    const isSaved = saves !== undefined && span.start >= saves.start && span.end <= saves.end;
    return edge !== undefined || isSaved ? UseKind.names : UseKind.reads;
  });
}

/** Edges after one that's always taken, or that wait for an event that can't occur. */
function deadEdges({ type, edges }: NodeBlock): readonly boolean[] {
  const isCall = type === "tool" || type === "component";
  const closed = new Set<string | undefined>();
  let dead: boolean[] | undefined;
  for (let index = 0; index < edges.length; index++) {
    const edge = edges[index] as EdgeModel;
    const event = edge.isOnEvent ? textOf(pairOf(edge.value, "on")?.value) : undefined;
    if (closed.has(event) || (edge.isOnEvent && (!isCall || event === undefined))) {
      dead ??= edges.map(() => false);
      dead[index] = true;
    } else if (edge.to !== undefined && (edge.isDefault || !pairOf(edge.value, "when"))) closed.add(event);
  }
  return dead ?? none;
}

function linksOut(parts: readonly NodeParts[], nodeOf: Int32Array): Links {
  let size = 0;
  for (let n = 0; n < parts.length; n++) size += (parts[n] as NodeParts).targets.length;
  const start = new Int32Array(parts.length + 1);
  const to = new Int32Array(size);
  const edge = new Int32Array(size);
  let at = 0;
  for (let n = 0; n < parts.length; n++) {
    start[n] = at;
    const { targets } = parts[n] as NodeParts;
    for (let e = 0; e < targets.length; e++) {
      const symbol = targets[e] as number;
      const target = symbol < 0 ? -1 : (nodeOf[symbol] as number);
      if (target < 0) continue;
      to[at] = target;
      edge[at++] = e;
    }
  }
  start[parts.length] = at;
  return { start, to: to.subarray(0, at), edge: edge.subarray(0, at) };
}

export function linksIn(out: Links): Links {
  const count = out.start.length - 1;
  const start = new Int32Array(count + 1);
  for (let i = 0; i < out.to.length; i++) {
    const target = out.to[i] as number;
    start[target + 1] = (start[target + 1] as number) + 1;
  }
  for (let n = 0; n < count; n++) start[n + 1] = (start[n + 1] as number) + (start[n] as number);
  const free = start.slice(0, count);
  const to = new Int32Array(out.to.length);
  const edge = new Int32Array(out.to.length);
  for (let n = 0; n < count; n++)
    for (let i = out.start[n] as number; i < (out.start[n + 1] as number); i++) {
      const target = out.to[i] as number;
      const at = free[target] as number;
      free[target] = at + 1;
      to[at] = n;
      edge[at] = out.edge[i] as number;
    }
  return { start, to, edge };
}

function reachableIn({ document, nodes, out, parts, entry }: Analysis, nodeOf: Int32Array): Uint8Array | undefined {
  if (entry < 0) return undefined;
  const from = [entry];
  let seen = reach(out, from);
  for (let size = 0; from.length > size; ) {
    size = from.length;
    for (let n = 0; n < parts.length; n++) {
      if (!seen[n]) continue;
      const { named, isBroken, targets } = parts[n] as NodeParts;
      if (isBroken) return undefined;
      // A missing target may be in text with syntax errors.
      const isShort = (out.start[n + 1] as number) - (out.start[n] as number) < targets.length;
      if (isShort && nodes[n]?.edges.some(({ to }) => to !== undefined && document.mayHold(to))) return undefined;
      for (const symbol of named) {
        const target = nodeOf[symbol] as number;
        if (target >= 0 && !seen[target]) from.push(target);
      }
    }
    if (from.length > size) seen = reach(out, from);
  }
  return seen;
}
