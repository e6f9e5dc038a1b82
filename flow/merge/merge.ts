/**
 * Merges two versions of a flow field by field. A change by one side is applied, an equal change by both is applied
 * once, and anything else is a conflict; nothing is guessed. That includes changes that are valid on each side alone
 * but not together: an edge to a node that the other side removed, or two edges at the same index of a list in which
 * the first match wins.
 */

import type { ElementRef, Graph, GraphEdge, GraphNode, GraphOutput, GraphVariable } from "../graph/graph";
import { sameElement, sameJson, sameOutputs } from "../graph/graph";
import { identifyEdges } from "./edge-identity";
import { combineOrders, isDefaultFirst, NamedEdges } from "./edges";

export type Side = "ours" | "theirs";

export interface Conflict {
  /** Identifies the conflict within one merge, and is stable across merges: `node greet.instructions`. */
  readonly key: string;
  readonly at: ElementRef;
  /** One sentence about what both sides did. */
  readonly message: string;
  /** The three values; undefined if a version has none. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
  /** The edges that are removed with a node if it's removed after all. */
  readonly uses?: readonly GraphEdge[];
  /** For a choice between two orders of the same edges: the targets as each side orders them, for the user. */
  readonly order?: Readonly<Record<Side, readonly string[]>>;
}

export interface Merge {
  /** The merged graph; at an unresolved conflict it has our value. */
  readonly graph: Graph;
  /** The unresolved conflicts. */
  readonly conflicts: readonly Conflict[];
  /** The merged edges by their names in conflicts, and the name of an edge by its ID in each version. */
  readonly edges: ReadonlyMap<string, GraphEdge>;
  readonly nameOf: NamedEdges["nameOf"];
}

export type Choose = (conflict: Conflict) => Side | undefined;

export function mergeGraphs(base: Graph, ours: Graph, theirs: Graph, choose: Choose = () => undefined): Merge {
  return new Merger(base, ours, theirs, choose).merge();
}

class Merger {
  readonly #conflicts: Conflict[] = [];
  readonly #edges: NamedEdges;
  /** The nodes whose edges can't be distinguished, with the side whose edges are used. */
  readonly #sideAt = new Map<string, Side>();

  constructor(
    readonly base: Graph,
    readonly ours: Graph,
    readonly theirs: Graph,
    readonly choose: Choose,
  ) {
    this.#edges = new NamedEdges({ base, ours, theirs }, identifyEdges(base, ours, theirs));
  }

  merge(): Merge {
    const { base, ours, theirs } = this;
    const persona = this.#value({ kind: "top", key: "persona" }, base.persona, ours.persona, theirs.persona);
    let entry = this.#value({ kind: "top", key: "entry" }, base.entry, ours.entry, theirs.entry);
    const outputs =
      mergeOutputs(base.outputs, ours.outputs, theirs.outputs) ??
      this.#value({ kind: "top", key: "component_outputs" }, base.outputs, ours.outputs, theirs.outputs);
    const nodes = this.#members(base.nodes, ours.nodes, theirs.nodes, (id) => ({ kind: "node", id }));
    const edges = this.#mergeEdges();
    const variables = this.#members(base.variables, ours.variables, theirs.variables, (name) => ({
      kind: "variable",
      name,
    }));
    entry = this.#keepNodesInUse(nodes, edges, entry);
    const ordered = this.#edges.withIds(this.#order(edges));
    const graph: Graph = {
      ...(persona === undefined ? {} : { persona }),
      ...(entry === undefined ? {} : { entry }),
      variables: variables as Map<string, GraphVariable>,
      nodes,
      edges: new Map([...ordered.values()].map((edge) => [edge.id, edge])),
      outputs,
    };
    return { graph, conflicts: this.#conflicts, edges: ordered, nameOf: this.#edges.nameOf };
  }

  /** By name. If the edges of a node can't be distinguished, those of one side are used. */
  #mergeEdges(): Map<string, GraphEdge> {
    const { base, ours, theirs } = this.#edges.named;
    const takenFrom = new Map<string, Side>();
    for (const source of this.#edges.unclear) {
      const message = `The file and the platform both changed edges of "${source}" that can't be distinguished.`;
      // A side without changes there doesn't count.
      const { base: before, ours: own, theirs: other } = this.#edges.listsAt(source);
      const side = sameJson(before, own) ? "theirs" : sameJson(before, other) ? "ours" : undefined;
      const chosen = side ?? this.#edgesConflict(source, message) ?? "ours";
      this.#sideAt.set(source, chosen);
      for (const name of this.#edges.namesAt(source)) if (!takenFrom.has(name)) takenFrom.set(name, chosen);
    }
    const refTo = (id: string, edge: GraphEdge): ElementRef => ({ kind: "edge", node: edge.source, id });
    if (takenFrom.size === 0) return this.#members(base, ours, theirs, refTo);
    const rest = (edges: ReadonlyMap<string, GraphEdge>) =>
      new Map([...edges].filter(([name]) => !takenFrom.has(name)));
    const merged = this.#members(rest(base), rest(ours), rest(theirs), refTo);
    for (const [name, side] of takenFrom) {
      const edge = this.#edges.named[side].get(name);
      if (edge) merged.set(name, edge);
    }
    return merged;
  }

  #edgesConflict(source: string, message: string, order?: Conflict["order"]): Side | undefined {
    const { base, ours, theirs } = this.#edges.listsAt(source);
    return this.#conflict({ kind: "node", id: source, field: "edges" }, message, base, ours, theirs, order);
  }

  /** The only place that chooses a side: by what changed, else by the user's choice, else ours with a conflict. */
  #value<T>(at: ElementRef, base: T, ours: T, theirs: T, same: (a: T, b: T) => boolean = sameJson): T {
    if (same(ours, theirs) || same(base, theirs)) return ours;
    if (same(base, ours)) return theirs;
    const side = this.#conflict(at, describe(at, ours, theirs), base, ours, theirs);
    return side === "theirs" ? theirs : ours;
  }

  #conflict(
    at: ElementRef,
    message: string,
    base: unknown,
    ours: unknown,
    theirs: unknown,
    order?: Conflict["order"],
  ): Side | undefined {
    const uses = at.kind === "node" && at.field === undefined ? { uses: this.#usesOf(at.id) } : {};
    const isEdge = at.kind === "edge" && at.field === undefined;
    const values = isEdge ? this.#edges.versionsOf(at.id) : { base, ours, theirs };
    const conflict = { key: keyOf(at), at, message, ...values, ...uses, ...(order && { order }) };
    const side = this.choose(conflict);
    if (!side && !this.#conflicts.some((known) => known.key === conflict.key)) this.#conflicts.push(conflict);
    return side;
  }

  /** As both sides have them: giving up a node also gives up what either side wrote at its edges. */
  #usesOf(id: string): GraphEdge[] {
    const { ours, theirs } = this.#edges.named;
    const isOther = ([name, edge]: [string, GraphEdge]) => {
      const own = ours.get(name);
      return own === undefined || !sameElement(own, edge);
    };
    const found = [...theirs].filter(isOther).map(([name]) => this.#edges.versionsOf(name).theirs as GraphEdge);
    return [...this.ours.edges.values(), ...found].filter((edge) => edge.source === id || edge.target === id);
  }

  #members<T extends GraphNode | GraphEdge | GraphVariable>(
    base: ReadonlyMap<string, T>,
    ours: ReadonlyMap<string, T>,
    theirs: ReadonlyMap<string, T>,
    refTo: (id: string, element: T) => ElementRef,
  ): Map<string, T> {
    const merged = new Map<string, T>();
    for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
      const [b, o, t] = [base.get(id), ours.get(id), theirs.get(id)];
      const result = this.#member(refTo(id, (o ?? t) as T), b, o, t);
      if (result) merged.set(id, result);
    }
    return merged;
  }

  #member<T extends object>(at: ElementRef, base: T | undefined, ours: T | undefined, theirs: T | undefined) {
    if (!ours || !theirs) return this.#value(at, base, ours, theirs, sameOrBothAbsent);
    if (sameElement(ours, theirs) || (base && sameElement(base, theirs))) return ours;
    if (base && sameElement(base, ours)) return theirs;
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const fields: [string, unknown][] = [];
    for (const name of names) {
      if (name === "source_span") continue;
      const value = this.#value(withField(at, name), field(base, name), field(ours, name), field(theirs, name));
      if (value !== null) fields.push([name, value]);
    }
    return Object.fromEntries(fields) as T;
  }

  /** Keeps a node that one side removed while the other side points to it, from it, or starts at it. Returns the entry. */
  #keepNodesInUse(nodes: Map<string, GraphNode>, edges: Map<string, GraphEdge>, entry: string | undefined) {
    const used = new Map<string, string[]>();
    const use = (id: string, edge?: string) => {
      const removedHere = this.base.nodes.has(id) && !nodes.has(id);
      if (!removedHere || !(this.ours.nodes.has(id) || this.theirs.nodes.has(id))) return;
      const [remover, keeper]: Side[] = this.ours.nodes.has(id) ? ["theirs", "ours"] : ["ours", "theirs"];
      if (edge === undefined ? this.#leftEntry(id, remover, keeper) : this.#leftEdge(edge, remover, keeper)) return;
      used.set(id, [...(used.get(id) ?? []), ...(edge === undefined ? [] : [edge])]);
    };
    for (const [name, edge] of edges) {
      use(edge.source, name);
      use(edge.target, name);
    }
    if (entry !== undefined) use(entry);
    for (const [id, at] of used) {
      const remover: Side = this.ours.nodes.has(id) ? "theirs" : "ours";
      const [ours, theirs] = [this.ours.nodes.get(id), this.theirs.nodes.get(id)];
      const uses = new Set(this.#usesOf(id).map(edgeInWords));
      const by = uses.size > 0 ? `: ${[...uses].join("; ")}` : "";
      const message =
        remover === "ours"
          ? `Node "${id}" was removed in the file, but is still used on the platform${by}.`
          : `Node "${id}" was removed on the platform, but is still used in the file${by}.`;
      const side = this.#conflict({ kind: "node", id }, message, this.base.nodes.get(id), ours, theirs);
      if (side !== remover) nodes.set(id, (ours ?? theirs) as GraphNode);
      else {
        for (const name of at) edges.delete(name);
        // The side that removed the entry has another one, which must exist then.
        if (id !== entry) continue;
        entry = this[remover].entry;
        const start = entry === undefined ? undefined : this[remover].nodes.get(entry);
        if (start && !nodes.has(start.id)) nodes.set(start.id, start);
      }
    }
    return entry;
  }

  /** A side that removed a node, but left an edge to it that the other side didn't touch, did so intentionally. */
  #leftEdge(name: string, remover: Side = "ours", keeper: Side = "theirs"): boolean {
    const { named } = this.#edges;
    const [before, kept] = [named.base.get(name), named[keeper].get(name)];
    return named[remover].has(name) && sameOrBothAbsent(before, kept);
  }

  #leftEntry(id: string, remover: Side = "ours", keeper: Side = "theirs"): boolean {
    return this[remover].entry === id && this[keeper].entry === this.base.entry;
  }

  /** The edges in the merged order of each source's list. */
  #order(edges: ReadonlyMap<string, GraphEdge>): Map<string, GraphEdge> {
    const ordered = new Map<string, GraphEdge>();
    const bySource = new Map<string, Set<string>>();
    for (const [name, { source }] of edges) {
      const names = bySource.get(source);
      if (names) names.add(name);
      else bySource.set(source, new Set([name]));
    }
    for (const [source, names] of bySource)
      for (const name of this.#orderOf(source, names, edges)) ordered.set(name, edges.get(name) as GraphEdge);
    return ordered;
  }

  #orderOf(source: string, names: ReadonlySet<string>, edges: ReadonlyMap<string, GraphEdge>): Iterable<string> {
    if (!this.#edges.changed.has(source)) return names;
    const { base, ours, theirs } = this.#edges.orderAt(source);
    const [o, t] = [ours.filter((name) => names.has(name)), theirs.filter((name) => names.has(name))];
    const inOrderOf = (first: readonly string[], second: readonly string[]) => new Set([...first, ...second, ...names]);
    const used = this.#sideAt.get(source);
    if (used) return used === "theirs" ? inOrderOf(t, o) : inOrderOf(o, t);
    const merged = combineOrders(names, base, o, t);
    const isSound = merged && !isDefaultFirst(merged, edges, [ours, theirs], this.#edges.named);
    if (isSound) return merged;
    const reason = merged
      ? "Merging would put an unconditional edge before others."
      : "Both sides added or moved some.";
    const orders = { ours: inOrderOf(o, t), theirs: inOrderOf(t, o) };
    const targets = (order: Iterable<string>) => inWords([...order].flatMap((name) => edges.get(name) ?? []));
    const side = this.#edgesConflict(source, `Choose an order for the edges of "${source}"; all are kept. ${reason}`, {
      ours: targets(orders.ours),
      theirs: targets(orders.theirs),
    });
    return orders[side ?? "ours"];
  }
}

function sameOrBothAbsent(a: object | undefined, b: object | undefined): boolean {
  return a && b ? sameElement(a, b) : a === b;
}

function field(element: object | undefined, name: string): unknown {
  return element && Object.hasOwn(element, name) ? ((element as Record<string, unknown>)[name] ?? null) : null;
}

function withField(at: ElementRef, name: string): ElementRef {
  if (at.kind === "top") return at;
  // In the file, the target of an edge is called `to`.
  return { ...at, field: at.kind === "edge" && name === "target" ? "to" : name };
}

function keyOf(at: ElementRef): string {
  if (at.kind === "top") return at.key;
  const name = at.kind === "variable" ? at.name : at.kind === "output" ? at.index : at.id;
  return `${at.kind} ${name}${at.field === undefined ? "" : `.${at.field}`}`;
}

function describe(at: ElementRef, ours: unknown, theirs: unknown): string {
  if (at.kind === "top") return `\`${at.key}\` was changed in the file and on the platform.`;
  const what = at.kind === "variable" ? `Variable "${at.name}"` : at.kind === "output" ? "An output" : nameOf(at);
  if (at.field !== undefined) return `${what}: \`${at.field}\` was changed in the file and on the platform.`;
  if (ours === undefined) return `${what} was removed in the file and changed on the platform.`;
  if (theirs === undefined) return `${what} was removed on the platform and changed in the file.`;
  return `${what} was changed in the file and on the platform.`;
}

/** Edges by their targets; those with the same target also by their conditions. */
function inWords(edges: readonly GraphEdge[]): string[] {
  return edges.map((edge) => {
    const { target, when } = edge;
    const isShared = edges.some((other) => other !== edge && other.target === target);
    return isShared && when ? `${target} when ${when}` : target;
  });
}

function edgeInWords({ source, target, when }: GraphEdge): string {
  return `${source} → ${target}${when ? ` when ${when}` : ""}`;
}

function nameOf(at: ElementRef & { kind: "node" | "edge" }): string {
  return at.kind === "node" ? `Node "${at.id}"` : `Edge "${at.id}" of "${at.node}"`;
}

type Outputs = readonly GraphOutput[];

/** By name: outputs added by both sides are all kept, ours first. Undefined if both sides changed the same output, or if names aren't unique. */
function mergeOutputs(base: Outputs, ours: Outputs, theirs: Outputs): Outputs | undefined {
  if (sameOutputs(ours, theirs) || sameOutputs(base, theirs)) return ours;
  if (sameOutputs(base, ours)) return theirs;
  const [b, o, t] = [base, ours, theirs].map(byName);
  if (!b || !o || !t) return undefined;
  const merged = new Map<string, GraphOutput>();
  for (const name of new Set([...o.keys(), ...t.keys()])) {
    const [was, mine, other] = [b.get(name), o.get(name), t.get(name)];
    const isMine = isSame(mine, other) || isSame(was, other);
    if (!isMine && !isSame(was, mine)) return undefined;
    const taken = isMine ? mine : other;
    if (taken) merged.set(name, taken);
  }
  const order = combined([...b.keys()], [...o.keys()], [...t.keys()]);
  return order?.map((name) => merged.get(name)).filter((output) => output !== undefined);
}

/** The order of the side that changed it, with the other side's additions after the same element as there. */
function combined(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] | undefined {
  const inAll = (name: string) => [base, ours, theirs].every((list) => list.includes(name));
  const [was, mine, other] = [base, ours, theirs].map((list) => list.filter(inAll));
  const isTheirs = sameJson(was, mine) && !sameJson(was, other);
  if (!isTheirs && !sameJson(was, other) && !sameJson(mine, other)) return undefined;
  const [first, second] = isTheirs ? [theirs, ours] : [ours, theirs];
  const result = [...first];
  let place = 0;
  for (const name of second) {
    const known = result.indexOf(name);
    if (known >= 0) place = known + 1;
    else {
      // Our additions at the same place come first.
      while (first === ours && place < result.length && !second.includes(result[place] as string)) place++;
      result.splice(place++, 0, name);
    }
  }
  return result;
}

function byName(outputs: Outputs): Map<string, GraphOutput> | undefined {
  const found = new Map<string, GraphOutput>();
  for (const output of outputs) {
    const name: unknown = typeof output === "object" && output !== null ? output.name : undefined;
    if (typeof name !== "string" || found.has(name)) return undefined;
    found.set(name, output);
  }
  return found;
}

function isSame(a: GraphOutput | undefined, b: GraphOutput | undefined): boolean {
  return a && b ? sameElement(a, b) : a === b;
}
